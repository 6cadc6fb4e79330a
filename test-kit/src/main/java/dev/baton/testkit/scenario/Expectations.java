package dev.baton.testkit.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.protocol.RunPhase;
import dev.baton.protocol.RunReply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares what came of a step with what its file expects; what does not hold is a {@link Mismatch}. */
final class Expectations {
    private final Scenario scenario;
    private final World world;
    private final Stage stage;
    private final Sender sender;

    Expectations(Scenario scenario, World world, Stage stage, Sender sender) {
        this.scenario = scenario;
        this.world = world;
        this.stage = stage;
        this.sender = sender;
    }

    /** Compares an answer; one of a step with a name that has not come is compared when it is awaited. */
    void check(Scenario.Step s, World.Pending pending) {
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

    void await(Scenario.Step s) {
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

    void pending(Scenario.Step s) {
        Object reply = s.has("run") ? world.run(s.text("run")).finished : world.reply(s.text("reply")).reply;
        if (reply != null) {
            throw new Mismatch("expected it to be pending, got " + Outcomes.of(reply));
        }
    }

    void log(Scenario.Step s) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        stage.control().log().forEach(list::add);
        compare(s.node().path("expect"), list);
    }

    private static void compare(JsonNode expect, JsonNode got) {
        if (!Outcomes.same(expect, got)) {
            throw new Mismatch("expected " + expect + ", got " + got);
        }
    }

    void order(Scenario.Step s) {
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

    void status(Scenario.Step s) {
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
