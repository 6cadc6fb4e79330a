package dev.baton.sim;

import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.RunId;
import dev.baton.protocol.driver.Capabilities;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.Driver;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.ResetOutcome;
import dev.baton.protocol.driver.RunPlan;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A device that breaks the driver's side of the contract, for tests of its caller. */
@SuppressWarnings("NullAway")
public final class Misbehaving implements Device {
    /** The calls that can misbehave. */
    public enum Call {
        ATTACH,
        ALLOCATE,
        FREE,
        WRITE,
        READ,
        COPY,
        FILL,
        COPY_HOST,
        REGISTER,
        UNREGISTER,
        BEGIN,
        WAKE,
        INTERRUPT,
        RESET,
        CLOSE,
        EMIT,
        SCRATCH,
        PREPARE,
        ABORT,
        RUN_WRITE,
        LAUNCH,
        AWAIT,
        FINALIZE
    }

    /** How often and when a launch's listener is told. */
    public enum Listener {
        /** As it should be. */
        ONCE,
        TWICE,
        /** Never: completion is found by asking only (R20). */
        NEVER,
        /** Inside launch, before the run is given to the device, and at its end. */
        EARLY,
        /** Not at the run's end but inside its finalize, after that is done. */
        LATE
    }

    private final Device inner;
    private final Map<Call, Runnable> throwers = new ConcurrentHashMap<>();
    private final Set<Call> nulls = ConcurrentHashMap.newKeySet();
    private volatile boolean overlapping;
    private volatile long lastAddress = -1;
    volatile Listener listener = Listener.ONCE;

    /**
     * A driver whose devices misbehave.
     *
     * @param opened hears of each device right after it was opened
     */
    public static Driver driver(Driver inner, Consumer<Misbehaving> opened) {
        return new Driver() {
            @Override
            public String name() {
                return inner.name();
            }

            @Override
            public Device open(DeviceRuntime runtime) throws DriverException {
                Misbehaving device = new Misbehaving(inner.open(runtime));
                opened.accept(device);
                return device;
            }
        };
    }

    /** Behaves until told otherwise. */
    public Misbehaving(Device inner) {
        this.inner = inner;
    }

    /** The call throws this every time. */
    public Misbehaving throwIn(Call call, Error error) {
        throwers.put(call, () -> {
            throw error;
        });
        return this;
    }

    /** The call throws this every time. */
    public Misbehaving throwIn(Call call, RuntimeException exception) {
        throwers.put(call, () -> {
            throw exception;
        });
        return this;
    }

    /** BEGIN, PREPARE, AWAIT, FINALIZE or RESET return null, after they did their work. */
    public Misbehaving returnNull(Call call) {
        nulls.add(call);
        return this;
    }

    /** Later allocations return the address of the first one since. */
    public Misbehaving overlappingAllocations() {
        overlapping = true;
        return this;
    }

    /** From now on launches tell their listener so. */
    public Misbehaving listener(Listener how) {
        listener = how;
        return this;
    }

    /** Behaves again. */
    public void behave() {
        throwers.clear();
        nulls.clear();
        overlapping = false;
        listener = Listener.ONCE;
        lastAddress = -1;
    }

    void enter(Call call) {
        throwers.getOrDefault(call, () -> {}).run();
    }

    <T> @Nullable T result(Call call, T value) {
        return nulls.contains(call) ? null : value;
    }

    @Override
    public Capabilities capabilities() {
        return inner.capabilities();
    }

    @Override
    public void attachThread() throws DriverException {
        enter(Call.ATTACH);
        inner.attachThread();
    }

    @Override
    public long allocate(String label, long bytes) throws DriverException {
        enter(Call.ALLOCATE);
        if (overlapping && lastAddress >= 0) {
            return lastAddress;
        }
        lastAddress = inner.allocate(label, bytes);
        return lastAddress;
    }

    @Override
    public void free(String label, long address) throws DriverException {
        enter(Call.FREE);
        inner.free(label, address);
    }

    @Override
    public void write(String label, long address, HostMemory from, long fromOffset, long bytes) throws DriverException {
        enter(Call.WRITE);
        inner.write(label, address, from, fromOffset, bytes);
    }

    @Override
    public void read(String label, long address, HostMemory to, long toOffset, long bytes) throws DriverException {
        enter(Call.READ);
        inner.read(label, address, to, toOffset, bytes);
    }

    @Override
    public void copy(String label, long from, long to, long bytes) throws DriverException {
        enter(Call.COPY);
        inner.copy(label, from, to, bytes);
    }

    @Override
    public void fill(String label, long address, long pattern, int patternBytes, long count) throws DriverException {
        enter(Call.FILL);
        inner.fill(label, address, pattern, patternBytes, count);
    }

    @Override
    public void copyHost(String label, HostMemory from, long fromOffset, HostMemory to, long toOffset, long bytes)
            throws DriverException {
        enter(Call.COPY_HOST);
        inner.copyHost(label, from, fromOffset, to, toOffset, bytes);
    }

    @Override
    public @Nullable HostMemory view(long address, long bytes) {
        return inner.view(address, bytes);
    }

    @Override
    public void register(CallableSpec callable) throws DriverException {
        enter(Call.REGISTER);
        inner.register(callable);
    }

    @Override
    public void unregister(String callable) throws DriverException {
        enter(Call.UNREGISTER);
        inner.unregister(callable);
    }

    @Override
    public Preparation begin(RunPlan plan) throws DriverException {
        enter(Call.BEGIN);
        return result(Call.BEGIN, new MisbehavingPreparation(this, inner.begin(plan)));
    }

    @Override
    public void wake(RunId run) {
        enter(Call.WAKE);
        inner.wake(run);
    }

    @Override
    public void interrupt(RunId run) {
        enter(Call.INTERRUPT);
        inner.interrupt(run);
    }

    @Override
    public ResetOutcome reset() {
        enter(Call.RESET);
        return result(Call.RESET, inner.reset());
    }

    @Override
    public void close() throws DriverException {
        enter(Call.CLOSE);
        inner.close();
    }
}
