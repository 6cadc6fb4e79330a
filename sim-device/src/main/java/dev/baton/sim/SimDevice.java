package dev.baton.sim;

import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.RunId;
import dev.baton.protocol.driver.Capabilities;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.ResetOutcome;
import dev.baton.protocol.driver.RunPlan;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A simulated device. */
public final class SimDevice implements Device {
    private final SimCore core;
    private final SimControl control;

    SimDevice(SimCore core) {
        this.core = core;
        this.control = new SimControl(core);
    }

    /** The test's hand on this device. */
    public SimControl control() {
        return control;
    }

    @Override
    public Capabilities capabilities() {
        return core.capabilities;
    }

    @Override
    public void attachThread() {
        core.attach();
    }

    @Override
    public long allocate(String label, long bytes) throws DriverException {
        int gen = core.call(label, CallKind.ALLOC);
        return core.memory.allocate(Allocation.Kind.CLIENT, label, bytes, gen).address;
    }

    @Override
    public void free(String label, long address) throws DriverException {
        int gen = core.call(label, CallKind.FREE);
        core.memory.free(Allocation.Kind.CLIENT, label, address, gen);
    }

    @Override
    public void write(String label, long address, HostMemory from, long fromOffset, long bytes) throws DriverException {
        int gen = core.call(label, CallKind.WRITE);
        Allocation to = target("write " + label, address, bytes, gen);
        HostMemory.copy(from, fromOffset, to.memory, address - to.address, bytes);
    }

    @Override
    public void read(String label, long address, HostMemory to, long toOffset, long bytes) throws DriverException {
        int gen = core.call(label, CallKind.READ);
        Allocation from = source("read " + label, address, bytes, gen);
        HostMemory.copy(from.memory, address - from.address, to, toOffset, bytes);
        core.check(gen);
    }

    @Override
    public void copy(String label, long from, long to, long bytes) throws DriverException {
        int gen = core.call(label, CallKind.WRITE);
        Allocation source = source("copy " + label, from, bytes, gen);
        Allocation target = target("copy " + label, to, bytes, gen);
        HostMemory.copy(source.memory, from - source.address, target.memory, to - target.address, bytes);
    }

    @Override
    public void fill(String label, long address, long pattern, int patternBytes, long count) throws DriverException {
        int gen = core.call(label, CallKind.WRITE);
        long bytes = Math.multiplyExact(count, (long) patternBytes);
        Allocation to = target("fill " + label, address, bytes, gen);
        Patterns.fill(to.memory, address - to.address, pattern, patternBytes, count);
    }

    @Override
    public void copyHost(String label, HostMemory from, long fromOffset, HostMemory to, long toOffset, long bytes)
            throws DriverException {
        core.call(label, CallKind.WRITE);
        HostMemory.copy(from, fromOffset, to, toOffset, bytes);
    }

    private Allocation target(String what, long address, long bytes, int gen) throws DriverException {
        core.gate.enter();
        try {
            Allocation a = core.memory.demand(what, address, bytes, gen);
            core.watch.writing(core.runs.values(), what, address, bytes);
            return a;
        } finally {
            core.gate.leave();
        }
    }

    private Allocation source(String what, long address, long bytes, int gen) throws DriverException {
        core.gate.enter();
        try {
            Allocation a = core.memory.demand(what, address, bytes, gen);
            core.watch.reading(core.runs.values(), what, address, bytes);
            return a;
        } finally {
            core.gate.leave();
        }
    }

    @Override
    public @Nullable HostMemory view(long address, long bytes) {
        Allocation a = core.memory.find(address, bytes, core.generation);
        if (a == null || bytes < 1 || bytes > Integer.MAX_VALUE) {
            return null;
        }
        ByteBuffer part = a.memory.from(address - a.address);
        return part.remaining() < bytes ? null : HostMemory.of(part.limit(part.position() + (int) bytes));
    }

    @Override
    public void register(CallableSpec callable) throws DriverException {
        core.enter();
    }

    @Override
    public void unregister(String callable) throws DriverException {
        core.enter();
    }

    @Override
    public Preparation begin(RunPlan plan) throws DriverException {
        int gen = core.enter();
        SimRun run = new SimRun(plan, gen);
        core.gate.enter();
        try {
            core.check(gen);
            core.watch.beginning(core.runs.values(), run, core.capabilities.concurrentPrepare());
            core.log("prepare", run.name());
            core.remember(run);
        } finally {
            core.gate.leave();
        }
        return new SimAttempt(core, run);
    }

    @Override
    public void wake(RunId run) {
        SimRun known = core.gate.get(() -> core.runs.get(run));
        if (known != null) {
            known.wakes.incrementAndGet();
            core.runtime.signal();
        }
    }

    @Override
    public void interrupt(RunId run) {
        SimRun known = core.gate.get(() -> core.runs.get(run));
        if (known != null) {
            known.interrupted = true;
            core.runtime.signal();
        }
    }

    @Override
    public ResetOutcome reset() {
        return core.reset();
    }

    @Override
    public void close() throws DriverException {
        core.close();
    }
}
