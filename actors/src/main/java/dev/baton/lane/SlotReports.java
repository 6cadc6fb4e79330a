package dev.baton.lane;

import dev.baton.lane.FailurePolicy.Happening;
import dev.baton.lane.LaneRun.Ending;
import dev.baton.protocol.Holder;
import dev.baton.protocol.HostTensor;
import dev.baton.protocol.RunPhase;
import dev.baton.protocol.driver.Finalization;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What slots report of their runs. Each report carries run and attempt; one that comes late (its run is lost or gone, or a newer
 * attempt is under way) is dropped.
 */
public final class SlotReports {
    private final LaneOrder order;
    private final LaneEnds ends;
    private final LanePort port;
    private final LaneSettings settings;

    SlotReports(LaneOrder order, LaneEnds ends, LanePort port, LaneSettings settings) {
        this.order = order;
        this.ends = ends;
        this.port = port;
        this.settings = settings;
    }

    private @Nullable LaneRun current(long number, int attempt, RunPhase... phases) {
        LaneRun run = order.find(number);
        if (run == null || run.attempt != attempt || run.unproven != null) {
            return null;
        }
        for (RunPhase p : phases) {
            if (run.phase == p) {
                ends.endCall(run);
                return run;
            }
        }
        return null;
    }

    /** The build has begun: the limit of a driver call does not count user code. */
    public void buildBegan(long number, int attempt) {
        LaneRun run = current(number, attempt, RunPhase.PREPARING);
        if (run != null) {
            run.call = "build";
        }
    }

    public void buildEnded(long number, int attempt) {
        LaneRun run = current(number, attempt, RunPhase.PREPARING);
        if (run != null) {
            ends.startCall(run, "prepare");
        }
    }

    /** @param tasks what a build emitted, for people; empty without one */
    public void prepared(long number, int attempt, String tasks) {
        LaneRun run = current(number, attempt, RunPhase.PREPARING);
        if (run == null) {
            return;
        }
        run.tasks = tasks;
        ends.move(run, Lifecycle.Event.PREPARED);
        if (run.decided != null || ends.poisoned()) {
            ends.endBeforeLaunch(run);
        }
    }

    /** A value is needed that a run ahead has not produced, or the driver needs the front; clean-up fine (B5, N6). */
    public void deferred(long number, int attempt, @Nullable Holder by, String why) {
        LaneRun run = current(number, attempt, RunPhase.PREPARING);
        if (run == null) {
            return;
        }
        run.frontOnly = true;
        run.waitsFor = by == null ? why : why + " of " + by;
        ends.move(run, Lifecycle.Event.DEFERRED);
        if (run.decided != null || ends.poisoned()) {
            ends.endBeforeLaunch(run);
        }
    }

    /** The preparation failed by itself; clean-up fine. */
    public void prepareFailed(
            long number, int attempt, Happening what, String operation, String message, @Nullable Holder by) {
        LaneRun run = current(number, attempt, RunPhase.PREPARING);
        if (run != null) {
            run.own = new Ending(what, operation, message, by);
            ends.overWithoutFinalize(run);
        }
    }

    /** The clean-up of an aborted attempt failed (B7). */
    public void cleanupFailed(long number, int attempt, String message, List<Object> retained) {
        LaneRun run = current(number, attempt, RunPhase.PREPARING);
        if (run != null) {
            run.retained = retained;
            ends.lost(run, new Ending(Happening.CLEANUP_FAILED, "clean-up", message, null));
        }
    }

    public void launched(long number, int attempt) {
        LaneRun run = current(number, attempt, RunPhase.LAUNCHING);
        if (run == null) {
            return;
        }
        run.launched = true;
        ends.move(run, Lifecycle.Event.LAUNCHED);
        ends.armExecutionDeadlines();
        if (ends.poisonedAhead(run)) {
            ends.stopWaiting(run, true);
        } else if (run.interrupted) {
            ends.stopWaiting(run, false);
        }
    }

    public void launchFailed(long number, int attempt, String message) {
        LaneRun run = current(number, attempt, RunPhase.LAUNCHING);
        if (run != null) {
            run.own = new Ending(Happening.LAUNCH_FAILED, "launch", message, null);
            ends.move(run, Lifecycle.Event.LAUNCH_FAILED);
            ends.startCall(run, "finalize");
        }
    }

    /** The device has ended with the run; finalize follows. */
    public void executed(long number, int attempt, @Nullable String failure) {
        LaneRun run = current(number, attempt, RunPhase.LAUNCHED, RunPhase.FINALIZING);
        if (run == null) {
            return;
        }
        if (failure != null && run.own == null) {
            run.own = new Ending(Happening.EXECUTION_FAILED, "execute", failure, null);
        }
        if (run.phase == RunPhase.LAUNCHED) {
            ends.move(run, Lifecycle.Event.EXECUTED);
        }
        run.draining = false;
        ends.isOver(run);
        ends.startCall(run, "finalize");
    }

    /** Asking for completion failed; a finalize that drains follows. */
    public void pollFailed(long number, int attempt, String message) {
        LaneRun run = current(number, attempt, RunPhase.LAUNCHED, RunPhase.FINALIZING);
        if (run == null) {
            return;
        }
        if (run.own == null) {
            run.own = new Ending(Happening.COMPLETION_UNKNOWN, "poll", message, null);
        }
        if (run.phase == RunPhase.LAUNCHED) {
            ends.move(run, Lifecycle.Event.FINALIZE);
        }
        run.draining = true;
        ends.startCall(run, "finalize");
    }

    public void finalized(
            long number, int attempt, Finalization outcome, List<HostTensor> outputs, List<Object> retained) {
        LaneRun run = current(number, attempt, RunPhase.EXECUTED, RunPhase.FINALIZING);
        if (run == null) {
            return;
        }
        run.outputs = outputs;
        run.retained = retained;
        String cause = outcome.cause() == null ? "no cause given" : outcome.cause();
        if (outcome.outcome() == Finalization.Outcome.UNPROVEN) {
            Ending first = run.own != null ? run.own : run.decided;
            String message = first == null ? cause : first.message() + "; then finalize: " + cause;
            String operation = first == null ? "finalize" : first.operation();
            ends.lost(run, new Ending(Happening.FINALIZE_FAILED, operation, message, null));
            return;
        }
        if (outcome.outcome() == Finalization.Outcome.FAILED_BUT_DRAINED && run.own == null && run.launched) {
            run.own = new Ending(Happening.EXECUTION_FAILED, "execute", cause, null);
        }
        ends.finalized(run);
    }

    public void copiedBack(long number, int attempt, @Nullable String failure) {
        LaneRun run = order.find(number);
        if (run == null || run.attempt != attempt || run.asking != LaneRun.Asking.COPY_BACK) {
            return;
        }
        ends.endCall(run);
        run.asking = LaneRun.Asking.NOTHING;
        run.copiedBack = true;
        if (failure != null) {
            run.own = new Ending(Happening.EXECUTION_FAILED, "copy-back", failure, null);
        }
    }

    LanePort port() {
        return port;
    }

    LaneSettings settings() {
        return settings;
    }
}
