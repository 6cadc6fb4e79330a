package dev.baton.sim;

import dev.baton.protocol.driver.CompletionListener;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.PlannedArgument;
import dev.baton.protocol.driver.RunPlan;
import dev.baton.protocol.driver.Task;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What the device knows of one attempt of a run. Written inside the device's gate; the volatile fields may be read outside. */
final class SimRun {
    final RunPlan plan;
    final int generation;
    final List<Task> tasks = new ArrayList<>();
    final List<Allocation> scratch = new ArrayList<>();
    final Map<Integer, HostMemory> stages = new HashMap<>();
    final AtomicInteger wakes = new AtomicInteger();
    volatile RunState state = RunState.PREPARING;
    volatile @Nullable String failure;
    volatile boolean interrupted;

    @Nullable
    CompletionListener listener;

    @Nullable
    Stop executeStop;

    @Nullable
    Fault executeFault;

    /** Whether all its spans lie in memory that the device's calls allocated (N3). */
    boolean joinable;

    /** When it starts, or may start, by the device's own clock, in nanoseconds of the runtime. */
    long startsAt;

    boolean launched;
    boolean ending;
    boolean unproven;
    boolean polled;

    SimRun(RunPlan plan, int generation) {
        this.plan = plan;
        this.generation = generation;
    }

    String name() {
        return plan.name();
    }

    Held at(Point point) {
        return new Held(plan.name(), point.label());
    }

    boolean onDevice() {
        return state == RunState.QUEUED || state == RunState.EXECUTING;
    }

    boolean runnable() {
        Stop stop = executeStop;
        return (stop == null || stop.open) && executeFault != Fault.HANG;
    }

    void end(@Nullable String cause) {
        failure = cause;
        state = RunState.ENDED;
    }

    boolean ownsScratch(long address, long bytes) {
        return scratch.stream().anyMatch(a -> bytes >= 0 && a.covers(address, bytes));
    }

    /** Whether a span of the plan overlaps the bytes; only of arguments that are written if {@code written}. */
    boolean touches(long address, long bytes, boolean written) {
        for (PlannedArgument a : plan.arguments()) {
            if (a instanceof PlannedArgument.OnDevice d
                    && d.spanBytes() > 0
                    && bytes > 0
                    && (!written || d.role().writes())
                    && d.spanAddress() < address + bytes
                    && address < d.spanAddress() + d.spanBytes()) {
                return true;
            }
        }
        return false;
    }

    /** Whether all the bytes lie in spans of arguments that are written. */
    boolean mayWrite(long address, long bytes) {
        long at = address;
        for (boolean moved = true; moved && at < address + bytes; ) {
            moved = false;
            for (PlannedArgument a : plan.arguments()) {
                if (a instanceof PlannedArgument.OnDevice d
                        && d.role().writes()
                        && d.spanAddress() <= at
                        && at < d.spanAddress() + d.spanBytes()) {
                    at = d.spanAddress() + d.spanBytes();
                    moved = true;
                }
            }
        }
        return at >= address + bytes;
    }
}
