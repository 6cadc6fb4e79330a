package dev.baton.sim;

import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.RunId;
import dev.baton.protocol.driver.Capabilities;
import dev.baton.protocol.driver.CompletionListener;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.Finalization;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.Progress;
import dev.baton.protocol.driver.ResetOutcome;
import dev.baton.protocol.driver.RunPlan;
import dev.baton.protocol.driver.Task;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

    private final Device inner;
    private final Map<Call, Runnable> throwers = new ConcurrentHashMap<>();
    private final Set<Call> nulls = ConcurrentHashMap.newKeySet();
    private volatile boolean overlapping;
    private volatile boolean listenerTwice;
    private volatile boolean listenerEarly;
    private volatile long lastAddress = -1;

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

    /** The listener hears of each end twice. */
    public Misbehaving listenerTwice() {
        listenerTwice = true;
        return this;
    }

    /** The listener hears of an end inside launch, before the run was given to the device. */
    public Misbehaving listenerEarly() {
        listenerEarly = true;
        return this;
    }

    /** Behaves again. */
    public void behave() {
        throwers.clear();
        nulls.clear();
        overlapping = false;
        listenerTwice = false;
        listenerEarly = false;
        lastAddress = -1;
    }

    private void enter(Call call) {
        throwers.getOrDefault(call, () -> {}).run();
    }

    private <T> @Nullable T result(Call call, T value) {
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
        return result(Call.BEGIN, new BadPreparation(inner.begin(plan)));
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

    private final class BadPreparation implements Preparation {
        private final Preparation good;

        BadPreparation(Preparation good) {
            this.good = good;
        }

        @Override
        public void emit(Task task) throws DriverException {
            enter(Call.EMIT);
            good.emit(task);
        }

        @Override
        public long scratch(long bytes) throws DriverException {
            enter(Call.SCRATCH);
            return good.scratch(bytes);
        }

        @Override
        public PreparedRun prepare() throws DriverException {
            enter(Call.PREPARE);
            return result(Call.PREPARE, new BadRun(good.prepare()));
        }

        @Override
        public void abort() throws DriverException {
            enter(Call.ABORT);
            good.abort();
        }
    }

    private final class BadRun implements PreparedRun {
        private final PreparedRun good;

        BadRun(PreparedRun good) {
            this.good = good;
        }

        @Override
        public void write(long address, HostMemory from, long bytes) throws DriverException {
            enter(Call.RUN_WRITE);
            good.write(address, from, bytes);
        }

        @Override
        public void launch(CompletionListener listener) throws DriverException {
            enter(Call.LAUNCH);
            if (listenerEarly) {
                listener.ended();
            }
            boolean twice = listenerTwice;
            good.launch(() -> {
                listener.ended();
                if (twice) {
                    listener.ended();
                }
            });
        }

        @Override
        public Progress await(long limitNanos) throws DriverException {
            enter(Call.AWAIT);
            return result(Call.AWAIT, good.await(limitNanos));
        }

        @Override
        public Finalization finalizeRun() throws DriverException {
            enter(Call.FINALIZE);
            return result(Call.FINALIZE, good.finalizeRun());
        }
    }
}
