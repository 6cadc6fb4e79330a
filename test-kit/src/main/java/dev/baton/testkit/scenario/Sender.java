package dev.baton.testkit.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.LocalCommand;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import dev.baton.sim.Fault;
import dev.baton.sim.Point;
import dev.baton.testkit.invariant.Invariants;
import dev.baton.testkit.invariant.Sent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** Sends a scenario's steps as commands of the protocol and records what is answered. */
final class Sender {
    /** A step that was sent, and its answer. */
    record Sending(Scenario.Step step, World.Pending pending) {}

    private static final Set<String> COMMANDS = Set.of(
            "alloc",
            "write",
            "read",
            "free",
            "revalidate",
            "submit",
            "activate",
            "abandon",
            "fill",
            "copy",
            "drain",
            "close",
            "reset",
            "lease",
            "unlease");

    private final World world;
    private final Stage stage;
    private final Set<String> registered = new HashSet<>();

    private final Invariants invariants;
    private final @Nullable ReferenceModel model;
    private final Commands commands;
    private final Allocations allocations;

    /** @param model hears of commands as they are sent, if values are to be compared */
    Sender(World world, Stage stage, Invariants invariants, @Nullable ReferenceModel model) {
        this.world = world;
        this.stage = stage;
        this.invariants = invariants;
        this.model = model;
        Answers answers = new Answers(stage, invariants);
        this.commands = new Commands(world, stage, answers);
        this.allocations = new Allocations(world, stage, answers, model);
    }

    static boolean isCommand(Scenario.Step s) {
        return COMMANDS.contains(s.what());
    }

    /** Registers the callable of each submit, before the first step. */
    void register(Scenario.Step s, Scenario scenario) {
        if (s.what().equals("together")) {
            for (Scenario.Step i : s.inner()) {
                register(i, scenario);
            }
        } else if (s.what().equals("submit")) {
            String callable = callable(s);
            if (!registered.add(callable)) {
                return;
            }
            CallableSpec spec = new CallableSpec(callable, s.text("call"), Requests.signature(s.node()));
            ActorRef<Reply.RegisterReply> heard = stage.recorder(r -> {
                // an explored device may fail even now, by an early timer
                if (!(r instanceof Reply.Registered) && !scenario.explored()) {
                    throw new IllegalStateException("registering " + spec.name() + ": " + r);
                }
            });
            if (s.has("build")) {
                ScriptedBuild build = new ScriptedBuild(
                        world, stage.control(), s.text("as"), s.node().get("build"));
                stage.door().tell(new LocalCommand.RegisterBuild(spec, build, heard));
            } else {
                stage.door().tell(new DeviceCommand.Register(spec, heard));
            }
        }
    }

    /** Without a build, runs of one kernel and signature share a callable: each registration takes a while. */
    private static String callable(Scenario.Step s) {
        return s.text("call") + "/" + (s.has("build") ? s.number() : Requests.roles(s.node()));
    }

    /** Sends the steps of several clients, each in its order, with no rest between. */
    void sendTogether(Map<String, List<Scenario.Step>> byClient, List<Sending> sent) {
        if (byClient.size() <= 1) {
            byClient.values().forEach(steps -> {
                List<Runnable> ready = prepare(steps, sent);
                ready.forEach(Runnable::run);
            });
            return;
        }
        List<ActorRef<Runnable>> actors = new ArrayList<>();
        List<List<Runnable>> work = new ArrayList<>();
        byClient.forEach((name, steps) -> {
            actors.add(stage.client());
            work.add(prepare(steps, sent));
        });
        for (int i = 0; i < actors.size(); i++) {
            for (Runnable r : work.get(i)) {
                actors.get(i).tell(r);
            }
        }
    }

    private List<Runnable> prepare(List<Scenario.Step> steps, List<Sending> sent) {
        List<Runnable> ready = new ArrayList<>();
        for (Scenario.Step s : steps) {
            World.Pending pending = new World.Pending();
            sent.add(new Sending(s, pending));
            ready.add(command(s, pending));
        }
        return ready;
    }

    World.Pending send(Scenario.Step s) {
        World.Pending pending = new World.Pending();
        command(s, pending).run();
        return pending;
    }

    /** Makes what a step needs to be sent, the sending itself left to the caller. */
    private Runnable command(Scenario.Step s, World.Pending pending) {
        String as = s.as();
        if (as != null && !s.what().equals("submit")) {
            world.replies.put(as, pending);
        }
        String label = as != null ? as : s.what() + "-" + s.number();
        if (s.node().path("hold").isBoolean() && s.node().get("hold").asBoolean()) {
            // a free's call carries the buffer's name, a reset's its own
            String call = switch (s.what()) {
                case "reset" -> "reset";
                case "free" -> s.text("buffer");
                default -> label;
            };
            stage.control().holdCall(call);
            world.calls.put(label, call);
        }
        return switch (s.what()) {
            case "alloc" -> allocations.allocate(s, label, pending);
            case "submit" -> told(s, pending, submit(s, pending));
            default -> told(s, pending, commands.command(s, label, pending));
        };
    }

    private Runnable told(Scenario.Step s, World.Pending pending, Runnable sending) {
        ReferenceModel m = model;
        if (m == null) {
            return sending;
        }
        return () -> {
            m.sent(s, pending);
            sending.run();
        };
    }

    private Runnable submit(Scenario.Step s, World.Pending p) {
        JsonNode n = s.node();
        String name = s.text("as");
        for (JsonNode h : n.path("hold")) {
            if (h.asText().equals(Format.COPY_BACK)) {
                stage.control().holdCall(name);
            } else {
                stage.control().hold(name, h.asText());
            }
        }
        if (n.has("build")) {
            new ScriptedBuild(world, stage.control(), name, n.get("build")).arm();
        }
        Iterator<Map.Entry<String, JsonNode>> fails = n.path("fail").fields();
        while (fails.hasNext()) {
            Map.Entry<String, JsonNode> f = fails.next();
            if (f.getValue().asText().equals("hang")) {
                world.hangs.add(name);
            }
            stage.control()
                    .fail(name, Point.of(f.getKey()), Fault.of(f.getValue().asText()));
        }
        World.Run run = new World.Run(name);
        World.Run before = world.runs.put(name, run);
        if (before != null) {
            run.after.addAll(before.after);
        }
        Consumer<RunReply> heard = heard(run, p);
        AtomicReference<Consumer<RunReply>> recorded = new AtomicReference<>(heard);
        ActorRef<RunReply> to = stage.recorder(
                r -> java.util.Objects.requireNonNull(recorded.get()).accept(r));
        return () -> {
            RunRequest request = Requests.request(world, n, callable(s));
            Sent sent = invariants.sent(request, Requests.signature(n));
            recorded.set(r -> {
                invariants.heard(sent, r);
                heard.accept(r);
            });
            stage.door().tell(new DeviceCommand.Submit(request, to));
        };
    }

    private static Consumer<RunReply> heard(World.Run run, World.Pending p) {
        return r -> {
            if (r instanceof RunReply.Finished) {
                if (run.finished != null) {
                    throw new IllegalStateException("run " + run.name + " was answered twice: " + r);
                }
                run.finished = r;
                List<Runnable> after = new ArrayList<>(run.after);
                run.after.clear();
                after.forEach(Runnable::run);
            } else {
                run.first = r;
                p.reply = r;
            }
        };
    }

    DeviceStatus status() {
        AtomicReference<DeviceStatus> cell = new AtomicReference<>();
        ActorRef<DeviceStatus> to = stage.recorder(cell::set);
        stage.door().tell(new DeviceCommand.GetStatus(to));
        stage.runtime().runUntilIdle();
        DeviceStatus status = cell.get();
        if (status == null) {
            throw new Mismatch("the status was not answered at rest");
        }
        return status;
    }
}
