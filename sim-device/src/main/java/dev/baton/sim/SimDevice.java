package dev.baton.sim;

import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.RunId;
import dev.baton.protocol.driver.Capabilities;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.PlannedArgument;
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
        int gen = core.arrive(label);
        boolean failed = core.gate.get(() -> {
            boolean fault = core.faults.take(CallKind.FREE);
            if (fault && gen == core.generation) {
                core.memory.quarantine(address);
            }
            return fault;
        });
        if (failed) {
            throw new DriverException("simulated failure of " + label);
        }
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
            core.watch.writing(what, address, bytes);
            core.tell(o -> o.accessed(what, true, address, bytes));
            return a;
        } finally {
            core.gate.leave();
        }
    }

    private Allocation source(String what, long address, long bytes, int gen) throws DriverException {
        core.gate.enter();
        try {
            Allocation a = core.memory.demand(what, address, bytes, gen);
            core.watch.reading(what, address, bytes);
            core.tell(o -> o.accessed(what, false, address, bytes));
            return a;
        } finally {
            core.gate.leave();
        }
    }

    @Override
    public @Nullable HostMemory view(long address, long bytes) {
        Allocation a = core.settings.hostView() ? core.memory.find(address, bytes, core.generation) : null;
        if (a == null || bytes < 1 || bytes > Integer.MAX_VALUE) {
            return null;
        }
        ByteBuffer part = a.memory.from(address - a.address);
        return part.remaining() < bytes ? null : HostMemory.of(part.limit(part.position() + (int) bytes));
    }

    @Override
    public void register(CallableSpec callable) throws DriverException {
        core.register(callable);
    }

    @Override
    public void unregister(String callable) throws DriverException {
        core.unregister(callable);
    }

    @Override
    public Preparation begin(RunPlan plan) throws DriverException {
        int gen = core.enter();
        SimRun run = new SimRun(plan, gen);
        core.gate.enter();
        try {
            core.check(gen);
            run.joinable = joinable(plan);
            core.log("prepare", run.name());
            core.tell(o -> o.began(plan));
            core.watch.beginning(run);
            core.remember(run);
        } finally {
            core.gate.leave();
        }
        return new SimAttempt(core, run);
    }

    /** Whether all spans resolve; inside the gate. */
    private boolean joinable(RunPlan plan) {
        boolean all = true;
        for (PlannedArgument a : plan.arguments()) {
            if (a instanceof PlannedArgument.OnDevice d && d.spanBytes() > 0) {
                Allocation named = core.memory.covering(d.spanAddress(), d.spanBytes());
                all &= named != null && named.kind == Allocation.Kind.CLIENT;
                if (named != null && named.quarantined) {
                    core.watch.breach("run " + plan.name() + " names " + Operand.hex(d.spanAddress())
                            + ", whose free has failed (L11)");
                }
            }
        }
        return all;
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
