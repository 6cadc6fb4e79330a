package dev.baton.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunId;
import dev.baton.protocol.Scalar;
import dev.baton.protocol.Signature;
import dev.baton.protocol.driver.Capabilities;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.Driver;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.Finalization;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.PlannedArgument;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.Progress;
import dev.baton.protocol.driver.RunPlan;
import dev.baton.protocol.driver.Task;
import dev.baton.protocol.driver.Task.TaskArgument;
import dev.baton.runtime.ThreadRuntime;
import dev.baton.testkit.conformance.DriverFaults.FailPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What a driver's author supplies, and what the contract's tests are written with. */
public abstract class ConformanceBase {
    /** A step in which a run is asked whether it has ended. */
    static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long LARGE_BYTES = (5L << 20) + 3;

    /** A call that may fail as driver calls do. */
    interface Call<T> {
        T run() throws DriverException;
    }

    /** The same without an answer. */
    interface Act {
        void run() throws DriverException;
    }

    ThreadRuntime runtime;
    Device device;
    private boolean open;
    private long lastRun;

    // ---- what an author supplies

    /** The driver under test; asked for once in each test, more often by the tests that open two devices. */
    protected abstract Driver driver();

    /** A callable (IN f32[n], OUT f32[n], SCALAR f32) that writes {@code in + scalar}; the default has the kernel {@code add_const}. */
    protected CallableSpec addConst() {
        return new CallableSpec("add_const", "add_const", Signature.of(Role.IN, Role.OUT, Role.SCALAR));
    }

    /** The task that runs {@link #addConst} once; the default hands the run's arguments on in order. */
    protected Task task(RunPlan plan) {
        List<TaskArgument> all = new ArrayList<>();
        for (int i = 0; i < plan.arguments().size(); i++) {
            all.add(new TaskArgument.OfRun(i));
        }
        return new Task(plan.callable().kernel(), all, List.of());
    }

    /** The hand on the device by which it is held and made to fail; without one, the tests that need it are left out. */
    protected Optional<DriverFaults> faults() {
        return Optional.empty();
    }

    /** What a device that checks its caller complains of; asserted to be empty after each test. */
    protected List<String> complaints(Device checked) {
        return List.of();
    }

    /** Bytes that a fresh device can allocate in one piece, but not twice: five eighths of its memory. */
    protected long roomBytes() {
        return device.capabilities().memoryBytes() / 8 * 5;
    }

    /** Nothing in the suite waits longer; only a broken driver comes near. */
    protected Duration patience() {
        return Duration.ofMinutes(1);
    }

    /** Size of the large round trips. */
    protected long largeBytes() {
        return Math.min(LARGE_BYTES, device.capabilities().memoryBytes() / 4);
    }

    // ---- set-up

    @BeforeEach
    void openDevice() throws DriverException {
        runtime = new ThreadRuntime();
        device = open();
        open = true;
        device.register(addConst());
    }

    @AfterEach
    void closeDevice() throws DriverException {
        try {
            if (open && device.capabilities().resetProof()) {
                device.reset();
                close();
            }
            assertThat(complaints(device)).as("complaints of the device").isEmpty();
        } finally {
            runtime.close();
        }
    }

    Device open() throws DriverException {
        Device opened = driver().open(runtime);
        if (opened.capabilities().threadAttach()) {
            opened.attachThread();
        }
        return opened;
    }

    void close() throws DriverException {
        open = false;
        device.close();
    }

    // ---- words of the tests

    long limitNanos() {
        return patience().toNanos();
    }

    Capabilities can() {
        return device.capabilities();
    }

    /** The author's hand; only clauses that need one ask. */
    DriverFaults hand() {
        return faults().orElseThrow();
    }

    void fail(String run, FailPoint point) {
        hand().fail(device, run, point);
    }

    long floats(String label, float... values) throws DriverException {
        long at = device.allocate(label, values.length * 4L);
        device.write(label, at, memory(values), 0, values.length * 4L);
        return at;
    }

    float[] read(long address, int count) throws DriverException {
        HostMemory to = HostMemory.allocate(count * 4L);
        device.read("read", address, to, 0, count * 4L);
        return values(to);
    }

    static HostMemory memory(float... values) {
        HostMemory m = HostMemory.allocate(values.length * 4L);
        for (int i = 0; i < values.length; i++) {
            m.single().putFloat(i * 4, values[i]);
        }
        return m;
    }

    static float[] values(HostMemory m) {
        float[] out = new float[(int) (m.size() / 4)];
        for (int i = 0; i < out.length; i++) {
            out[i] = m.single().getFloat(i * 4);
        }
        return out;
    }

    static PlannedArgument on(Role role, long address, long count) {
        return new PlannedArgument.OnDevice(role, DataType.F32, address, List.of(count), List.of(), address, count * 4);
    }

    static PlannedArgument staged(Role role, HostMemory m) {
        return new PlannedArgument.Staged(role, DataType.F32, List.of(m.size() / 4), m);
    }

    static PlannedArgument value(float v) {
        return new PlannedArgument.Value(Scalar.f32(v));
    }

    /** A run of {@link #addConst}. */
    RunPlan plan(String name, boolean early, PlannedArgument in, PlannedArgument out, float add) {
        return new RunPlan(
                new RunId("conformance", 1, ++lastRun),
                name,
                addConst(),
                1,
                List.of(in, out, value(add)),
                false,
                early);
    }

    RunPlan plan(String name, boolean early, long in, long out, int count, float add) {
        return plan(name, early, on(Role.IN, in, count), on(Role.OUT, out, count), add);
    }

    PreparedRun prepared(RunPlan plan) throws DriverException {
        Preparation p = device.begin(plan);
        p.emit(task(plan));
        return p.prepare();
    }

    /** Launches and hears of the end, as Baton's slots do. */
    Heard launch(PreparedRun run) throws DriverException {
        Heard heard = new Heard(runtime);
        run.launch(heard);
        return heard;
    }

    /** Waits as Baton's slots do: in bounded steps, or for the listener where calls don't block. */
    Progress ended(PreparedRun run, Heard heard) throws DriverException {
        long end = runtime.nanoTime() + limitNanos();
        while (true) {
            Progress p = run.await(can().nonBlocking() ? 0 : STEP_NANOS);
            if (p.state() != Progress.State.RUNNING) {
                return p;
            }
            assertThat(runtime.nanoTime() < end).as("the run ends").isTrue();
            if (can().nonBlocking()) {
                until("the listener hears of the end", () -> heard.times() > 0);
            }
        }
    }

    Progress ended(PreparedRun run) throws DriverException {
        return ended(run, launch(run));
    }

    /** The whole life of a run that must complete. */
    void complete(RunPlan plan) throws DriverException {
        PreparedRun run = prepared(plan);
        assertThat(ended(run)).isEqualTo(Progress.ENDED);
        assertThat(run.finalizeRun().outcome()).isEqualTo(Finalization.Outcome.COMPLETED);
    }

    /** A call on a thread of its own, attached where that is needed. */
    <T> CompletableFuture<T> async(Call<T> call) {
        CompletableFuture<T> f = new CompletableFuture<>();
        runtime.fork("conformance", () -> {
            try {
                if (can().threadAttach()) {
                    device.attachThread();
                }
                f.complete(call.run());
            } catch (DriverException | RuntimeException | Error e) {
                f.completeExceptionally(e);
            }
            runtime.signal();
        });
        return f;
    }

    /** What a call on another thread came to. */
    <T> T got(CompletableFuture<T> future) {
        until("the call returns", future::isDone);
        try {
            return future.get(1, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("the call failed: " + e.getCause(), e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    void until(String what, BooleanSupplier condition) {
        assertThat(runtime.await(condition, limitNanos())).as(what).isTrue();
    }

    /** The call must fail, and may say why in any way. */
    static void refused(String what, Act act) {
        boolean refused = false;
        try {
            act.run();
        } catch (DriverException | RuntimeException e) {
            refused = true;
        }
        assertThat(refused).as(what + " fails").isTrue();
    }
}
