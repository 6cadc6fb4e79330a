package dev.baton.testkit.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.LocalCommand;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunName;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Scalar;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.sim.Fault;
import dev.baton.sim.Point;
import dev.baton.testkit.invariant.Invariants;
import dev.baton.testkit.invariant.Owed;
import dev.baton.testkit.invariant.Sent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** Sends a scenario's steps as commands of the protocol and records what is answered. */
final class Sender {
    /** A point of our own: the copying back of a run's first host buffer. */
    static final String COPY_BACK = "copyback";

    private static final int F32 = 4;
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
    private int clients;

    private final Invariants invariants;
    private final @Nullable ReferenceModel model;

    /** @param model hears of commands as they are sent, if values are to be compared */
    Sender(World world, Stage stage, Invariants invariants, @Nullable ReferenceModel model) {
        this.world = world;
        this.stage = stage;
        this.invariants = invariants;
        this.model = model;
    }

    static boolean isCommand(Scenario.Step s) {
        return COMMANDS.contains(s.what());
    }

    /** Registers the callable of each submit under a name of its own, before the first step. */
    void register(Scenario.Step s, Scenario scenario) {
        if (s.what().equals("together")) {
            for (Scenario.Step i : ScenarioReader.inner(scenario, s)) {
                register(i, scenario);
            }
        } else if (s.what().equals("submit")) {
            CallableSpec spec = new CallableSpec(callable(s), s.text("call"), Requests.signature(s.node()));
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

    private static String callable(Scenario.Step s) {
        return s.text("call") + "/" + s.number();
    }

    /** Sends the steps of several clients, each in its order, with no rest between. */
    void sendTogether(Map<String, List<Scenario.Step>> byClient, Map<Scenario.Step, World.Pending> sent) {
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
            actors.add(stage.spawn(client(), "client-" + ++clients));
            work.add(prepare(steps, sent));
        });
        for (int i = 0; i < actors.size(); i++) {
            for (Runnable r : work.get(i)) {
                actors.get(i).tell(r);
            }
        }
    }

    private static Behavior<Runnable> client() {
        return Behaviors.receiveMessage(r -> {
            r.run();
            return Behaviors.same();
        });
    }

    private List<Runnable> prepare(List<Scenario.Step> steps, Map<Scenario.Step, World.Pending> sent) {
        List<Runnable> ready = new ArrayList<>();
        for (Scenario.Step s : steps) {
            World.Pending pending = new World.Pending();
            sent.put(s, pending);
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
            case "alloc" -> allocate(s, label, pending);
            case "submit" -> told(s, pending, submit(s, pending));
            default -> told(s, pending, plain(s, label, pending));
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

    private <T> ActorRef<T> into(Scenario.Step s, World.Pending pending) {
        return once(s, r -> pending.reply = r);
    }

    /** A recorder of the one answer to a step's command. */
    private <T> ActorRef<T> once(Scenario.Step s, Consumer<T> heard) {
        Owed owed = invariants.owed("step " + s.number() + " (" + s.what() + ")");
        return stage.recorder(r -> {
            invariants.answered(owed, r);
            heard.accept(r);
        });
    }

    private Runnable plain(Scenario.Step s, String label, World.Pending p) {
        JsonNode n = s.node();
        ActorRef<DeviceCommand> door = stage.door();
        long at = n.path("at").asLong(0);
        switch (s.what()) {
            case "write" -> {
                ActorRef<Reply.WriteReply> to = into(s, p);
                HostBytes data = HostBytes.ofFloats(Requests.floats(n.get("f32")));
                return () -> door.tell(new DeviceCommand.Write(label, handle(n, "buffer"), at * F32, data, to));
            }
            case "read" -> {
                ActorRef<Reply.ReadReply> to = into(s, p);
                DeviceCommand.When when = n.path("when").asText("now").equals("produced")
                        ? DeviceCommand.When.LATER
                        : DeviceCommand.When.NOW;
                return () -> door.tell(new DeviceCommand.Read(
                        label, handle(n, "buffer"), at * F32, count(n, "buffer", at) * F32, when, to));
            }
            case "free" -> {
                ActorRef<Reply.FreeReply> to = into(s, p);
                DeviceCommand.When when =
                        n.path("when").asText("now").equals("idle") ? DeviceCommand.When.LATER : DeviceCommand.When.NOW;
                return () -> door.tell(new DeviceCommand.Free(handle(n, "buffer"), at * F32, when, to));
            }
            case "fill" -> {
                ActorRef<Reply.FillReply> to = into(s, p);
                Scalar value = Scalar.f32((float) n.get("value").asDouble());
                return () -> door.tell(new DeviceCommand.Fill(
                        label, handle(n, "buffer"), at * F32, count(n, "buffer", at), value, to));
            }
            case "copy" -> {
                ActorRef<Reply.CopyReply> to = into(s, p);
                return () -> door.tell(new DeviceCommand.Copy(
                        label,
                        handle(n, "from"),
                        at * F32,
                        handle(n, "to"),
                        n.path("toAt").asLong(0) * F32,
                        count(n, "from", at) * F32,
                        to));
            }
            case "revalidate" -> {
                ActorRef<Reply.RevalidateReply> to = into(s, p);
                return () -> door.tell(new DeviceCommand.Revalidate(handle(n, "buffer"), to));
            }
            case "activate" -> {
                ActorRef<Reply.ActivateReply> to = into(s, p);
                return () -> door.tell(
                        new DeviceCommand.Activate(new RunName(n.get("run").asText()), to));
            }
            case "abandon" -> {
                ActorRef<Reply.AbandonReply> to = into(s, p);
                return () -> door.tell(
                        new DeviceCommand.Abandon(new RunName(n.get("run").asText()), to));
            }
            case "drain" -> {
                ActorRef<Reply.DrainReply> to = into(s, p);
                return () -> door.tell(new DeviceCommand.Drain(to));
            }
            case "close" -> {
                ActorRef<Reply.CloseReply> to = into(s, p);
                return () -> door.tell(new DeviceCommand.Close(to));
            }
            case "reset" -> {
                ActorRef<Reply.ResetReply> to = into(s, p);
                return () -> door.tell(new DeviceCommand.Reset(to));
            }
            case "lease" -> {
                ActorRef<Reply.LeaseReply> to = once(s, r -> {
                    p.reply = r;
                    if (r instanceof Reply.Leased l) {
                        world.leases.put(s.text("as"), l.lease());
                    }
                });
                return () -> door.tell(new DeviceCommand.LeaseSlot(n.get("slot").asInt(), to));
            }
            case "unlease" -> {
                ActorRef<Reply.GiveBackReply> to = into(s, p);
                return () -> {
                    var lease = world.leases.get(n.get("lease").asText());
                    if (lease == null) {
                        throw new ScenarioError(
                                "unknown lease '" + n.get("lease").asText() + "'");
                    }
                    door.tell(new DeviceCommand.GiveBack(lease, to));
                };
            }
            default -> throw new ScenarioError("unknown step " + s.what());
        }
    }

    private BufferHandle handle(JsonNode n, String key) {
        BufferHandle handle = world.buffer(n.get(key).asText()).handle();
        if (handle == null) {
            throw new ScenarioError("buffer '" + n.get(key).asText() + "' is foreign at key " + key);
        }
        return handle;
    }

    private long count(JsonNode n, String key, long at) {
        return n.has("count")
                ? n.get("count").asLong()
                : world.buffer(n.get(key).asText()).bytes() / F32 - at;
    }

    // ---- buffers

    private Runnable allocate(Scenario.Step s, String name, World.Pending p) {
        JsonNode n = s.node();
        float[] content = n.has("f32") ? Requests.floats(n.get("f32")) : null;
        long bytes =
                content != null ? (long) content.length * F32 : n.path("bytes").asLong(0);
        if (n.path("foreign").asBoolean()) {
            return () -> foreign(name, bytes, content, p);
        }
        AtomicReference<Reply.@Nullable Allocated> allocated = new AtomicReference<>();
        ActorRef<Reply.WriteReply> written = stage.recorder(r -> {
            if (!(r instanceof Reply.Written)) {
                p.reply = r;
            } else {
                p.reply = allocated.get();
            }
        });
        ActorRef<Reply.AllocateReply> to = once(s, r -> {
            if (r instanceof Reply.Allocated a) {
                world.buffers.put(name, new World.Buffer(a.buffer(), a.address(), bytes));
                allocated.set(a);
                if (model != null) {
                    model.allocated(s, name, bytes, p);
                }
                if (content != null && !n.path("host").asBoolean()) {
                    stage.door()
                            .tell(new DeviceCommand.Write(
                                    name + "-content", a.buffer(), 0, HostBytes.ofFloats(content), written));
                    return;
                }
            }
            p.reply = r;
        });
        if (n.path("host").asBoolean()) {
            ByteBuffer memory = ByteBuffer.allocateDirect((int) bytes);
            if (content != null) {
                memory.put(HostBytes.ofFloats(content).view()).flip();
            }
            return () -> stage.door().tell(new LocalCommand.Adopt(name, memory, to));
        }
        return () -> stage.door().tell(new DeviceCommand.Allocate(name, bytes, to));
    }

    private void foreign(String name, long bytes, float @Nullable [] content, World.Pending p) {
        try {
            long address = stage.control().allocateForeign(bytes);
            world.buffers.put(name, new World.Buffer(null, address, bytes));
            if (content != null) {
                HostMemory from = HostMemory.allocate(bytes);
                from.put(0, HostBytes.ofFloats(content).view());
                stage.device().write(name, address, from, 0, bytes);
            }
            p.reply = new Reply.Allocated(new BufferHandle("elsewhere", 0, 0), address, bytes);
        } catch (DriverException e) {
            throw new ScenarioError("foreign memory: " + e.getMessage());
        }
    }

    // ---- runs

    private Runnable submit(Scenario.Step s, World.Pending p) {
        JsonNode n = s.node();
        String name = s.text("as");
        for (JsonNode h : n.path("hold")) {
            if (h.asText().equals(COPY_BACK)) {
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
