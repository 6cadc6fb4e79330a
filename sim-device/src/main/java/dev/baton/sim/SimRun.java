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
    enum State {
        PREPARING,
        PREPARED,
        QUEUED,
        EXECUTING,
        ENDED,
        /** Taken off without having been executed. */
        OFF
    }

    final RunPlan plan;
    final int generation;
    final List<Task> tasks = new ArrayList<>();
    final List<Allocation> scratch = new ArrayList<>();
    final Map<Integer, HostMemory> stages = new HashMap<>();
    final AtomicInteger wakes = new AtomicInteger();
    volatile State state = State.PREPARING;
    volatile @Nullable String failure;
    volatile boolean interrupted;

    @Nullable
    CompletionListener listener;

    @Nullable
    Stop executeStop;

    @Nullable
    Fault executeFault;

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
        return state == State.QUEUED || state == State.EXECUTING;
    }

    boolean runnable() {
        Stop stop = executeStop;
        return (stop == null || stop.open) && executeFault != Fault.HANG;
    }

    void end(@Nullable String cause) {
        failure = cause;
        state = State.ENDED;
    }

    /** Whether a span of the plan overlaps the bytes; only of arguments that are written if {@code written}. */
    boolean touches(long address, long bytes, boolean written) {
        for (PlannedArgument a : plan.arguments()) {
            if (a instanceof PlannedArgument.OnDevice d
                    && (!written || d.role().writes())
                    && d.spanAddress() < address + bytes
                    && address < d.spanAddress() + d.spanBytes()) {
                return true;
            }
        }
        return false;
    }

    boolean names(long address, long bytes) {
        for (PlannedArgument a : plan.arguments()) {
            if (a instanceof PlannedArgument.OnDevice d
                    && address >= d.spanAddress()
                    && address + bytes <= d.spanAddress() + d.spanBytes()) {
                return true;
            }
        }
        return false;
    }
}
