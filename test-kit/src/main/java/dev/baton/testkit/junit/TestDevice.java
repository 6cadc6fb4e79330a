package dev.baton.testkit.junit;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.LocalCommand;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunName;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import dev.baton.protocol.Tensor;
import dev.baton.protocol.build.HostBuild;
import dev.baton.protocol.driver.DriverException;
import dev.baton.sim.Point;
import dev.baton.sim.SimControl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * A simulated device behind its door, for one test. The kernels fill, copy, add_const, scale, add, inc and accumulate are
 * registered as callables of these names.
 *
 * <p>Commands are sent when they are called and give a {@link Probe}; whoever asks it for the answer waits. Under the
 * deterministic runtime, waiting lets happen what can happen, in an order that the seed chooses, and time stands still but in
 * {@link #advance}; on real threads it waits as Awaitility does.
 */
public final class TestDevice {
    private final Bench bench;
    private final String title;

    TestDevice(Bench bench, String title) {
        this.bench = bench;
        this.title = title;
        callable("fill", Role.OUT, Role.SCALAR);
        callable("copy", Role.IN, Role.OUT);
        callable("add_const", Role.IN, Role.OUT, Role.SCALAR);
        callable("scale", Role.IN, Role.OUT, Role.SCALAR);
        callable("add", Role.IN, Role.IN, Role.OUT);
        callable("inc", Role.INOUT, Role.SCALAR);
        callable("accumulate", Role.IN, Role.INOUT);
    }

    private void callable(String kernel, Role... roles) {
        register(new CallableSpec(kernel, kernel, Signature.of(roles))).get(Reply.Registered.class);
    }

    Bench bench() {
        return bench;
    }

    /** The actor that clients hold. */
    public ActorRef<DeviceCommand> door() {
        return bench.door();
    }

    /** The hand on the simulated device: faults, its log, what it holds. */
    public SimControl control() {
        return bench.control();
    }

    // ---- commands

    /** Sends a command whose answers are recorded. */
    public <T> Probe<T> ask(String name, Function<ActorRef<T>, DeviceCommand> command) {
        Probe<T> probe = probe(name);
        bench.letOthers();
        door().tell(command.apply(probe.ref()));
        return probe;
    }

    /** Allocates. */
    public Probe<Reply.AllocateReply> allocate(String name, long bytes) {
        return ask("allocate " + name, to -> new DeviceCommand.Allocate(name, bytes, to));
    }

    /** Allocates a buffer of f32 values, writes them, and waits until they are there. */
    public BufferHandle floats(String name, float... values) {
        BufferHandle buffer =
                allocate(name, values.length * 4L).get(Reply.Allocated.class).buffer();
        write(buffer, values).get(Reply.Written.class);
        return buffer;
    }

    /** Writes f32 values at a buffer's start. */
    public Probe<Reply.WriteReply> write(BufferHandle buffer, float... values) {
        return ask("write", to -> new DeviceCommand.Write("write", buffer, 0, HostBytes.ofFloats(values), to));
    }

    /** Reads f32 values from a buffer's start. */
    public Probe<Reply.ReadReply> read(BufferHandle buffer, int count, DeviceCommand.When when) {
        return ask("read", to -> new DeviceCommand.Read("read", buffer, 0, count * 4L, when, to));
    }

    /** The buffer's first f32 values, once they are produced. */
    public float[] values(BufferHandle buffer, int count) {
        return read(buffer, count, DeviceCommand.When.LATER)
                .get(Reply.Data.class)
                .bytes()
                .toFloats();
    }

    /** Frees now. */
    public Probe<Reply.FreeReply> free(BufferHandle buffer) {
        return ask("free", to -> new DeviceCommand.Free(buffer, to));
    }

    /** Frees when idle. */
    public Probe<Reply.FreeReply> freeWhenIdle(BufferHandle buffer) {
        return ask("free when idle", to -> new DeviceCommand.Free(buffer, 0, DeviceCommand.When.LATER, to));
    }

    /** Submits. */
    public TestRun submit(RunRequest request) {
        TestRun run = new TestRun(bench, request.name());
        bench.letOthers();
        door().tell(new DeviceCommand.Submit(request, run.ref()));
        return run;
    }

    /** Submits {@code out[i] = in[i] + value} over so many f32 values. */
    public TestRun addConst(String name, BufferHandle in, BufferHandle out, int count, float value) {
        return submit(RunRequest.of("add_const")
                .named(name)
                .tensor(f32(in, count))
                .tensor(f32(out, count))
                .scalar(value)
                .build());
    }

    /** The first f32 values of a buffer. */
    public static Tensor f32(BufferHandle buffer, int count) {
        return buffer.tensor(DataType.F32, count);
    }

    /** Abandons the run of that name. */
    public Probe<Reply.AbandonReply> abandon(String run) {
        return ask("abandon " + run, to -> new DeviceCommand.Abandon(new RunName(run), to));
    }

    /** Activates the held run of that name. */
    public Probe<Reply.ActivateReply> activate(String run) {
        return ask("activate " + run, to -> new DeviceCommand.Activate(new RunName(run), to));
    }

    /** Registers a callable of the device's own code. */
    public Probe<Reply.RegisterReply> register(CallableSpec callable) {
        return ask("register " + callable.name(), to -> new DeviceCommand.Register(callable, to));
    }

    /** Registers a callable with a host build, which may stand at a {@link #gate(String, String)} by {@link #pass}. */
    public Probe<Reply.RegisterReply> register(CallableSpec callable, HostBuild build) {
        return ask("register " + callable.name(), to -> new LocalCommand.RegisterBuild(callable, build, to));
    }

    /** Resets the device. */
    public Probe<Reply.ResetReply> reset() {
        return ask("reset", DeviceCommand.Reset::new);
    }

    /** The status, now. */
    public DeviceStatus status() {
        return this.<DeviceStatus>ask("status", DeviceCommand.GetStatus::new).get();
    }

    // ---- the test's hands

    /** A recorder of messages of any kind. */
    public <T> Probe<T> probe(String name) {
        return new Probe<>(bench, name);
    }

    /** A point of a run, by the run's name. */
    public Gate gate(String run, Point point) {
        return gate(run, point.label());
    }

    /** A point that a build of the test's names itself. */
    public Gate gate(String run, String point) {
        return new Gate(bench, run, point);
    }

    /** A host build comes to a point of its own. */
    public void pass(String run, String point) throws DriverException {
        control().pass(run, point);
    }

    /**
     * Runs each body as a client of its own, all at once, and waits until all have ended. What they send comes to the door in any
     * order; what one sends keeps its order.
     */
    public void race(Runnable... clients) {
        AtomicInteger ready = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        List<AtomicReference<Throwable>> thrown = new ArrayList<>();
        for (int i = 0; i < clients.length; i++) {
            Runnable body = clients[i];
            AtomicReference<Throwable> failure = new AtomicReference<>();
            thrown.add(failure);
            bench.runtime().fork("client-" + (i + 1), () -> {
                ready.incrementAndGet();
                bench.runtime().signal();
                try {
                    bench.runtime().await(() -> ready.get() == clients.length, Long.MAX_VALUE);
                    body.run();
                } catch (RuntimeException | Error e) {
                    failure.set(e);
                } finally {
                    done.incrementAndGet();
                }
            });
        }
        if (!bench.await(() -> done.get() == clients.length)) {
            throw new AssertionError(done + " of " + clients.length + " clients have ended; held "
                    + control().held());
        }
        for (AtomicReference<Throwable> failure : thrown) {
            Throwable t = failure.get();
            if (t instanceof Error e) {
                throw e;
            } else if (t instanceof RuntimeException e) {
                throw e;
            }
        }
    }

    /** Waits until a condition of the test's own holds. */
    public void await(String what, BooleanSupplier condition) {
        if (!bench.await(condition)) {
            throw new AssertionError(
                    what + " did not come true; held " + control().held());
        }
    }

    /**
     * Lets happen all that can happen without time passing. On real threads: waits until the device has decided what was sent
     * before.
     */
    public void rest() {
        bench.rest();
    }

    /** Lets time pass: virtual time, or real time on real threads. */
    public void advance(Duration by) {
        bench.advance(by);
    }

    /** Kills an actor: context, ledger, lane, io or slot-0, slot-1 and so on; under the deterministic runtime only. */
    public void crash(String actor) {
        bench.crash(actor);
    }

    @Override
    public String toString() {
        return title;
    }
}
