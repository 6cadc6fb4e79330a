package dev.baton.sim;

import dev.baton.protocol.driver.DriverException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The test's hand on a simulated device. Any thread; nothing but {@link #pass} waits. */
public final class SimControl {
    private final SimCore core;

    SimControl(SimCore core) {
        this.core = core;
    }

    /** The run stops at the point until {@link #go}, at each preparation anew. */
    public void hold(String run, Point point) {
        hold(run, point.label());
    }

    /** As {@link #hold(String, Point)}, for points that a build names itself. */
    public void hold(String run, String point) {
        core.gate.run(() -> core.holds.arm(new Held(run, point)));
    }

    /** Lets a run go on; before the point is reached, it will not hold there the next time. */
    public void go(String run, Point point) {
        go(run, point.label());
    }

    /** As {@link #go(String, Point)}, for points that a build names itself. */
    public void go(String run, String point) {
        core.gate.run(() -> core.holds.go(new Held(run, point)));
        changed();
    }

    /** The next call of that label stops until {@link #goCall}; {@code reset} is the label of a reset. */
    public void holdCall(String label) {
        hold(label, Holds.CALL);
    }

    /** Lets a call go on; before it is reached, it will not hold. */
    public void goCall(String label) {
        go(label, Holds.CALL);
    }

    /** A host build comes to a point: waits there if it is armed. */
    public void pass(String run, String point) throws DriverException {
        int gen = core.generation;
        core.hold(new Held(run, point), gen);
    }

    /** What stands held, longest first. */
    public List<Held> held() {
        return core.gate.get(core.holds::standing);
    }

    /** Disarms every hold and lets everything go on. */
    public void releaseAll() {
        core.gate.run(core.holds::releaseAll);
        changed();
    }

    private void changed() {
        core.runtime.signal();
        core.engine.kick();
    }

    /** The run fails at the point, at each preparation. */
    public void fail(String run, Point point, Fault fault) {
        core.gate.run(() -> core.faults.put(run, point, fault));
    }

    /** The next calls of that kind fail; replaces what was asked for before. */
    public void faultNext(CallKind kind, int times) {
        core.gate.run(() -> core.faults.next(kind, times));
    }

    /** The device log so far. */
    public List<String> log() {
        return core.log();
    }

    /** Empties the device log. */
    public void clearLog() {
        core.clearLog();
    }

    /** Where the live attempt of the run of that name stands; null if there is none. */
    public @Nullable RunState stateOf(String run) {
        return core.gate.get(() -> {
            RunState state = null;
            for (SimRun r : core.runs.values()) {
                state = r.name().equals(run) ? r.state : state;
            }
            return state;
        });
    }

    /** Attempts that are begun and neither aborted nor finalized with proof. */
    public int liveRuns() {
        return core.gate.get(core.runs::size);
    }

    /** Whether a run of that name has ended executing. */
    public boolean executed(String run) {
        return core.executed.contains(run);
    }

    /** Memory that no client of the device allocated; its address. */
    public long allocateForeign(long bytes) throws DriverException {
        return core.memory.allocate(Allocation.Kind.FOREIGN, "foreign memory", bytes, core.generation).address;
    }

    /** Frees what {@link #allocateForeign} gave. */
    public void freeForeign(long address) throws DriverException {
        core.memory.free(Allocation.Kind.FOREIGN, "foreign memory", address, core.generation);
    }

    /** Bytes of memory that no client of the device allocated. */
    public long foreignBytes() {
        return core.memory.bytes(Allocation.Kind.FOREIGN);
    }

    /** Bytes that are allocated by the device's calls, without scratch and foreign memory. */
    public long allocatedBytes() {
        return core.memory.bytes(Allocation.Kind.CLIENT);
    }

    /** Number of allocations of the device's calls. */
    public int liveAllocations() {
        return core.memory.count(Allocation.Kind.CLIENT);
    }

    /** Bytes that runs hold as scratch memory. */
    public long scratchBytes() {
        return core.memory.bytes(Allocation.Kind.SCRATCH);
    }

    /** One sentence for each thing that the device's caller must not have done; empty if all is well. */
    public List<String> violations() {
        return core.gate.get(core.watch::sentences);
    }

    /** Tells of what the device does, from now on; null: nobody. */
    public void observe(@Nullable SimObserver observer) {
        core.observer = observer;
    }
}
