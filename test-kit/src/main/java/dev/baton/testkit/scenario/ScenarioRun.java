package dev.baton.testkit.scenario;

import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.Reply;
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
    private final Scenario scenario;
    private final Stage stage;
    private final World world = new World();
    private final Sender sender;
    private final Expectations expectations;
    private final Invariants invariants;
    private final @Nullable ReferenceModel model;
    /** Messages until the last check. */
    private long checked = -1;

    ScenarioRun(Scenario scenario, Stage stage) {
        this.scenario = scenario;
        this.stage = stage;
        this.invariants = new Invariants(stage.control());
        this.model = scenario.explored() ? new ReferenceModel(world) : null;
        this.sender = new Sender(world, stage, invariants, model);
        this.expectations = new Expectations(scenario, world, stage, sender);
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
        long messages = stage.correspondence().messages();
        if (messages == checked) {
            invariants.atRest();
            return;
        }
        checked = messages;
        invariants.atRest(stage.look(), refused);
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
        stage.correspondence().step(s.number(), s.what());
        if (scenario.explored() && !Names.known(world, s)) {
            return;
        }
        boolean refused = false;
        switch (s.what()) {
            case "together" -> together(s);
            case "await" -> expectations.await(s);
            case "pending" -> expectations.pending(s);
            case "go" -> go(s);
            case "advance" ->
                stage.runtime().advance(Duration.ofMillis(s.node().get("ms").asLong()));
            case "fault" -> fault(s);
            case "crash" -> crash(s.text("actor"));
            case "status" -> expectations.status(s);
            case "log" -> expectations.log(s);
            case "order" -> expectations.order(s);
            default -> {
                World.Pending pending = sender.send(s);
                rest();
                // an allocation with content is two commands
                refused = !scenario.early()
                        && !s.what().equals("alloc")
                        && (pending.reply instanceof Reply.Refused || pending.reply instanceof RunReply.Rejected);
                expectations.check(s, pending);
            }
        }
        atRest(refused);
    }

    private void rest() {
        stage.runtime().runUntilIdle();
    }

    private void together(Scenario.Step s) {
        List<Sender.Sending> sent = new ArrayList<>();
        Map<String, List<Scenario.Step>> clients = new LinkedHashMap<>();
        List<Scenario.Step> others = new ArrayList<>();
        for (Scenario.Step i : s.inner()) {
            if (scenario.explored() && !Names.known(world, i)) {
                continue;
            }
            if (i.has("after")) {
                World.Run run = world.runs.get(i.text("after"));
                if (run == null) {
                    throw new ScenarioError("unknown run '" + i.text("after") + "' at key after");
                }
                run.after.add(() -> sent.add(new Sender.Sending(i, sender.send(i))));
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
        sent.forEach(i -> at(i.step(), () -> expectations.check(i.step(), i.pending())));
    }

    private void immediate(Scenario.Step s) {
        switch (s.what()) {
            case "go" -> go(s);
            case "fault" -> fault(s);
            case "crash" -> crash(s.text("actor"));
            default -> throw new ScenarioError("a " + s.what() + " has no place inside together");
        }
    }

    private void go(Scenario.Step s) {
        if (s.has("reply")) {
            world.reply(s.text("reply"));
            stage.control().goCall(world.calls.getOrDefault(s.text("reply"), s.text("reply")));
        } else {
            world.run(s.text("run"));
            if (s.text("at").equals(Format.COPY_BACK)) {
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
}
