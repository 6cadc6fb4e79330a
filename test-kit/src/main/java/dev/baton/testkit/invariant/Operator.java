package dev.baton.testkit.invariant;

import dev.baton.protocol.RunId;
import dev.baton.protocol.driver.PlannedArgument;
import dev.baton.protocol.driver.RunPlan;
import dev.baton.sim.SimObserver;
import dev.baton.sim.Touch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Watches the device itself: what it executes, frees and hands out. */
final class Operator implements SimObserver {
    /** Device memory that was given back or handed out. */
    record Change(boolean freed, long address, long bytes) {}

    final List<RunPlan> started = new ArrayList<>();
    final List<Change> changes = new ArrayList<>();
    final List<String> overlaps = new ArrayList<>();
    /** What runs touched or wrote that they must not. */
    final List<String> outside = new ArrayList<>();
    /** Ends of runs that touched memory which is not allocated; it counts if all their spans resolve. */
    final List<RunPlan> strays = new ArrayList<>();

    private final Set<RunId> everStarted = new HashSet<>();
    private @Nullable RunPlan executing;

    boolean started(RunId run) {
        return everStarted.contains(run);
    }

    @Override
    public void started(RunPlan plan) {
        RunPlan before = executing;
        if (before != null) {
            overlaps.add("start of " + plan.name() + " while " + before.name() + " executes");
        }
        executing = plan;
        started.add(plan);
        everStarted.add(plan.run());
    }

    @Override
    public void ended(RunPlan plan, @Nullable String failure, List<Touch> touches) {
        RunPlan before = executing;
        if (before == null || !before.run().equals(plan.run())) {
            overlaps.add("end of " + plan.name() + " which does not execute");
        }
        executing = null;
        if (failure != null && failure.contains("not allocated")) {
            strays.add(plan);
        }
        for (Touch t : touches) {
            if (t.written() && readOnly(plan, t)) {
                outside.add("run " + plan.name() + " wrote an input at 0x" + Long.toHexString(t.address()));
            }
            if (!named(plan, t)) {
                outside.add("run " + plan.name() + " touched 0x" + Long.toHexString(t.address())
                        + ", which it does not name");
            }
        }
    }

    private static boolean named(RunPlan plan, Touch t) {
        for (PlannedArgument a : plan.arguments()) {
            if (a instanceof PlannedArgument.OnDevice d
                    && t.address() >= d.spanAddress()
                    && t.address() + t.bytes() <= d.spanAddress() + d.spanBytes()) {
                return true;
            }
        }
        return false;
    }

    /** Whether the bytes lie in an IN span of the run and in none that it may write. */
    private static boolean readOnly(RunPlan plan, Touch t) {
        boolean input = false;
        for (PlannedArgument a : plan.arguments()) {
            if (a instanceof PlannedArgument.OnDevice d
                    && t.address() >= d.spanAddress()
                    && t.address() - d.spanAddress() < d.spanBytes()) {
                if (d.role().writes()) {
                    return false;
                }
                input = true;
            }
        }
        return input;
    }

    @Override
    public void allocated(String label, long address, long bytes) {
        changes.add(new Change(false, address, bytes));
    }

    @Override
    public void freed(long address, long bytes) {
        changes.add(new Change(true, address, bytes));
    }

    @Override
    public void reset() {
        executing = null;
        changes.clear();
        started.clear();
    }
}
