package dev.baton.testkit.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunPhase;
import dev.baton.protocol.RunReply;
import dev.baton.sim.CallKind;
import dev.baton.testkit.invariant.Invariants;
import dev.baton.testkit.invariant.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Plays one scenario with one seed on a stage of its own. */
final class ScenarioRun {
    /** How often a status is asked for until nothing happens meanwhile. */
    private static final int TRIES = 5;

    private final Scenario scenario;
    private final Stage stage;
    private final World world = new World();
    private final Sender sender;
    private final Invariants invariants;
    private final @Nullable ReferenceModel model;

    ScenarioRun(Scenario scenario, Stage stage) {
        this.scenario = scenario;
        this.stage = stage;
        this.invariants = new Invariants(stage.control());
        this.model = scenario.explored() ? new ReferenceModel(world) : null;
        this.sender = new Sender(world, stage, invariants, model);
    }

    /** Plays; the first step that does not hold is thrown as a {@link Mismatch}. */
    void play() {
        stage.watch(this::heard);
        for (Scenario.Step s : scenario.steps()) {
            sender.register(s, scenario);
        }
        stage.runtime().runUntilIdle();
        stage.control().clearLog();
        for (Scenario.Step s : scenario.steps()) {
            at(s, () -> step(s));
        }
        if (scenario.explored()) {
            try {
                new Settling(stage, world, sender, invariants).settle(() -> atRest(false));
            } catch (Violation v) {
                throw new Mismatch("after the last step: " + v.getMessage());
            }
        }
    }

    /** The invariants, and values if the model knows them. */
    private void atRest(boolean refused) {
        rest();
        long heard = invariants.heard();
        DeviceStatus status = sender.status();
        // an early timer may come between a status and its answer: then the two don't belong together
        for (int i = 0; i < TRIES && heard != invariants.heard(); i++) {
            heard = invariants.heard();
            status = sender.status();
        }
        if (heard == invariants.heard()) {
            invariants.atRest(status, refused);
        }
        if (model != null) {
            model.atRest();
        }
    }

    private void at(Scenario.Step s, Runnable body) {
        try {
            body.run();
        } catch (Mismatch | Violation m) {
            throw new Mismatch("step " + s.number() + " (" + s.what() + "): " + m.getMessage());
        } catch (ScenarioError e) {
            throw new ScenarioError("step " + s.number() + " (" + s.what() + "): " + e.getMessage());
        }
    }

    private void heard(DeviceEvent event) {
        invariants.event(event);
        if (event instanceof DeviceEvent.Phase p) {
            World.Run run = world.runs.get(p.name());
            if (run != null) {
                run.phases.add(p.phase());
            }
        }
    }

    private void step(Scenario.Step s) {
        if (scenario.explored() && !Names.known(world, s)) {
            return;
        }
        boolean refused = false;
        switch (s.what()) {
            case "together" -> together(s);
            case "await" -> await(s);
            case "pending" -> pending(s);
            case "go" -> go(s);
            case "advance" ->
                stage.runtime().advance(Duration.ofMillis(s.node().get("ms").asLong()));
            case "fault" -> fault(s);
            case "crash" -> crash(s.text("actor"));
            case "status" -> status(s);
            case "log" -> compare(s.node().path("expect"), log());
            case "order" -> order(s);
            default -> {
                World.Pending pending = sender.send(s);
                rest();
                // an allocation with content is two commands
                refused = !scenario.early()
                        && !s.what().equals("alloc")
                        && (pending.reply instanceof Reply.Refused || pending.reply instanceof RunReply.Rejected);
                check(s, pending);
            }
        }
        atRest(refused);
    }

    private void rest() {
        stage.runtime().runUntilIdle();
    }

    private void together(Scenario.Step s) {
        Map<Scenario.Step, World.Pending> sent = new LinkedHashMap<>();
        Map<String, List<Scenario.Step>> clients = new LinkedHashMap<>();
        List<Scenario.Step> others = new ArrayList<>();
        for (Scenario.Step i : ScenarioReader.inner(scenario, s)) {
            if (scenario.explored() && !Names.known(world, i)) {
                continue;
            }
            if (i.has("after")) {
                World.Run run = world.runs.get(i.text("after"));
                if (run == null) {
                    throw new ScenarioError("unknown run '" + i.text("after") + "' at key after");
                }
                run.after.add(() -> sent.put(i, sender.send(i)));
            } else if (Sender.isCommand(i)) {
                clients.computeIfAbsent(i.node().path("client").asText(""), c -> new ArrayList<>())
                        .add(i);
            } else {
                others.add(i);
            }
            if (i.what().equals("submit")) {
                world.runs.put(i.text("as"), new World.Run(i.text("as")));
            }
        }
        sender.sendTogether(clients, sent);
        for (Scenario.Step i : others) {
            at(i, () -> immediate(i));
        }
        rest();
        sent.forEach((i, pending) -> at(i, () -> check(i, pending)));
    }

    private void immediate(Scenario.Step s) {
        switch (s.what()) {
            case "go" -> go(s);
            case "fault" -> fault(s);
            case "crash" -> crash(s.text("actor"));
            default -> throw new ScenarioError("a " + s.what() + " has no place inside together");
        }
    }

    /** Compares an answer; one of a step with a name that has not come is compared when it is awaited. */
    private void check(Scenario.Step s, World.Pending pending) {
        if (scenario.explored()) {
            return;
        }
        Object reply = pending.reply;
        JsonNode expect = s.node().get("expect");
        if (reply == null) {
            if (s.as() == null) {
                throw new Mismatch(
                        "expected " + (expect == null ? "the good outcome" : expect) + ", got no answer at rest");
            }
            return;
        }
        compare(expect, reply);
    }

    private static void compare(@Nullable JsonNode expect, Object reply) {
        Outcomes.Outcome got = Outcomes.of(reply);
        if (expect == null) {
            if (!got.good()) {
                throw new Mismatch("expected the good outcome, got " + got);
            }
            return;
        }
        String mismatch = Outcomes.mismatch(expect, got);
        if (mismatch != null) {
            throw new Mismatch(mismatch);
        }
    }

    private void await(Scenario.Step s) {
        JsonNode expect = s.node().get("expect");
        if (s.has("reply")) {
            Object reply = world.reply(s.text("reply")).reply;
            if (reply == null) {
                throw new Mismatch("reply " + s.text("reply") + " has not come at rest");
            }
            compare(expect, reply);
            return;
        }
        World.Run run = world.run(s.text("run"));
        String until = s.node().path("until").asText("finished");
        boolean so = switch (until) {
            case "admitted" -> run.first instanceof RunReply.Accepted;
            case "prepared" -> run.phases.contains(RunPhase.PREPARED);
            case "deferred" -> run.phases.contains(RunPhase.DEFERRED);
            case "launched" -> run.phases.contains(RunPhase.LAUNCHED);
            case "executed" -> stage.control().executed(run.name);
            default -> run.finished != null;
        };
        if (!so) {
            throw new Mismatch("run " + run.name + " is not " + until + " at rest; it got to " + run.phases
                    + ", device log " + stage.control().log());
        }
        Object finished = run.finished;
        if (until.equals("finished") && finished != null) {
            compare(expect, finished);
        }
    }

    private void pending(Scenario.Step s) {
        Object reply = s.has("run") ? world.run(s.text("run")).finished : world.reply(s.text("reply")).reply;
        if (reply != null) {
            throw new Mismatch("expected it to be pending, got " + Outcomes.of(reply));
        }
    }

    private void go(Scenario.Step s) {
        if (s.has("reply")) {
            world.reply(s.text("reply"));
            stage.control().goCall(world.calls.getOrDefault(s.text("reply"), s.text("reply")));
        } else {
            world.run(s.text("run"));
            if (s.text("at").equals(Sender.COPY_BACK)) {
                stage.control().goCall(s.text("run"));
            } else {
                stage.control().go(s.text("run"), s.text("at"));
            }
        }
    }

    private void fault(Scenario.Step s) {
        int times = s.node().path("times").asInt(1);
        String on = s.text("on");
        if (on.equals("declare")) {
            stage.failDeclarations(times);
        } else {
            stage.control().faultNext(CallKind.valueOf(on.toUpperCase(java.util.Locale.ROOT)), times);
        }
    }

    private void crash(String actor) {
        if (!actor.startsWith("slot:")) {
            stage.crash(actor);
            return;
        }
        String name = actor.substring("slot:".length());
        world.run(name);
        for (DeviceStatus.RunStatus r : sender.status().runs()) {
            if (r.name().equals(name) && r.slot() >= 0) {
                stage.crash("slot-" + r.slot());
                return;
            }
        }
        if (!scenario.explored()) {
            throw new ScenarioError("run '" + name + "' holds no slot");
        }
    }

    private JsonNode log() {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        stage.control().log().forEach(list::add);
        return list;
    }

    private static void compare(JsonNode expect, JsonNode got) {
        if (!Outcomes.same(expect, got)) {
            throw new Mismatch("expected " + expect + ", got " + got);
        }
    }

    private void order(Scenario.Step s) {
        List<String> log = stage.control().log();
        int at = 0;
        for (JsonNode e : s.node().path("expect")) {
            int found = log.subList(at, log.size()).indexOf(e.asText());
            if (found < 0) {
                throw new Mismatch("expected the order " + s.node().path("expect") + ", got " + log);
            }
            at += found + 1;
        }
    }

    private void status(Scenario.Step s) {
        JsonNode expect = s.node().get("expect");
        if (expect == null) {
            return;
        }
        ObjectNode got = StatusNode.of(world, sender.status());
        if (!Outcomes.same(expect, got)) {
            throw new Mismatch("expected " + expect + ", got " + got);
        }
    }
}
