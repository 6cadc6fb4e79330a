package dev.baton.build;

import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.RunId;
import dev.baton.protocol.driver.Capabilities;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.ResetOutcome;
import dev.baton.protocol.driver.RunPlan;
import dev.baton.protocol.driver.Task;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A piece of device memory from {@link #BASE} on, and a preparation on it, which write down what they are asked and what their
 * caller does wrong.
 */
final class FakeDevice implements Device, Preparation {
    static final long BASE = 0x10000;

    final HostMemory memory;
    final List<String> calls = new CopyOnWriteArrayList<>();
    final List<Task> tasks = new CopyOnWriteArrayList<>();
    final List<String> breaches = new CopyOnWriteArrayList<>();
    final Set<Thread> attached = ConcurrentHashMap.newKeySet();
    boolean hostView = true;
    boolean threadAttach;
    long viewShortBy;
    /** Thrown by the next calls, if not null. */
    volatile @Nullable Throwable failure;
    /** Run inside each call that must not overlap another. */
    volatile Runnable inCall = () -> {};

    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger scratched = new AtomicInteger();

    FakeDevice(long bytes) {
        memory = HostMemory.allocate(bytes);
    }

    private void enter(String call) throws DriverException {
        calls.add(call);
        if (threadAttach && !attached.contains(Thread.currentThread())) {
            breaches.add(call + " on a thread that is not attached");
        }
        if (inside.incrementAndGet() > 1) {
            breaches.add(call + " overlaps another call");
        }
        try {
            inCall.run();
            Throwable f = failure;
            if (f instanceof DriverException d) {
                throw d;
            } else if (f instanceof RuntimeException r) {
                throw r;
            } else if (f instanceof Error e) {
                throw e;
            }
        } finally {
            inside.decrementAndGet();
        }
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities("fake", "1", 2, true, true, true, threadAttach, false, 64, memory.size(), false, true);
    }

    @Override
    public void attachThread() {
        calls.add("attach");
        if (!attached.add(Thread.currentThread())) {
            breaches.add("attached twice");
        }
    }

    @Override
    public void read(String label, long address, HostMemory to, long toOffset, long bytes) throws DriverException {
        enter("read " + (address - BASE) + "+" + bytes);
        HostMemory.copy(memory, address - BASE, to, toOffset, bytes);
    }

    @Override
    public @Nullable HostMemory view(long address, long bytes) {
        calls.add("view");
        return hostView ? HostMemory.of(memory.from(address - BASE).slice().limit((int) (bytes - viewShortBy))) : null;
    }

    @Override
    public void emit(Task task) throws DriverException {
        enter("emit " + task.kernel());
        tasks.add(task);
    }

    @Override
    public long scratch(long bytes) throws DriverException {
        enter("scratch " + bytes);
        return 0x900000L + scratched.getAndIncrement();
    }

    @Override
    public PreparedRun prepare() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void abort() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long allocate(String label, long bytes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void free(String label, long address) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void write(String label, long address, HostMemory from, long fromOffset, long bytes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void copy(String label, long from, long to, long bytes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void fill(String label, long address, long pattern, int patternBytes, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void register(CallableSpec callable) {}

    @Override
    public void unregister(String callable) {}

    @Override
    public Preparation begin(RunPlan plan) {
        return this;
    }

    @Override
    public void wake(RunId run) {}

    @Override
    public void interrupt(RunId run) {}

    @Override
    public ResetOutcome reset() {
        return new ResetOutcome(true, "");
    }

    @Override
    public void close() {}
}
