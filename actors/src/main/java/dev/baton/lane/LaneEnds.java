package dev.baton.lane;

import dev.baton.lane.FailurePolicy.Happening;
import dev.baton.lane.LanePort.TimerKind;
import dev.baton.lane.LaneRun.Asking;
import dev.baton.lane.LaneRun.Ending;
import dev.baton.ledger.RunEnd;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.Holder;
import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunPhase;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How runs end: decisions, deadlines, losses, poison, and retirement in order (N1, N11, F2). */
final class LaneEnds {
    private final LaneOrder order;
    private final LanePort port;
    private final LaneSettings settings;
    private final boolean[] slotReady;
    /** Runs whose ends poisoned the lane, by dispatch id; at most those that were live then. */
    private final TreeMap<Long, Long> poisoners = new TreeMap<>();

    private @Nullable Holder poisonedBy;
    private @Nullable RunFailure poison;

    LaneEnds(LaneOrder order, LanePort port, LaneSettings settings, boolean[] slotReady) {
        this.order = order;
        this.port = port;
        this.settings = settings;
        this.slotReady = slotReady;
    }

    static Holder holder(LaneRun run) {
        return new Holder(Holder.Kind.RUN, run.number(), run.work.name());
    }

    boolean poisoned() {
        return poison != null;
    }

    @Nullable
    Holder poisonedBy() {
        return poisonedBy;
    }

    /** Changes a run's phase; the only place that does. */
    void move(LaneRun run, Lifecycle.Event event) {
        run.phase = Lifecycle.next(run.phase, event, run.work.name());
        if (run.phase == RunPhase.FINALIZED) {
            order.finalized(run);
        }
        String detail = run.phase == RunPhase.DEFERRED ? run.waitsFor : run.phase == RunPhase.PREPARED ? run.tasks : "";
        port.phase(run.work, run.phase, run.slot, run.attempt, detail);
    }

    // ---- calls and their limit

    void startCall(LaneRun run, String call) {
        run.call = call;
        Duration limit = settings.callLimit();
        if (limit != null) {
            run.callTimer = true;
            port.startTimer(TimerKind.CALL, run.number(), limit);
        }
    }

    void endCall(LaneRun run) {
        run.call = "";
        if (run.callTimer) {
            run.callTimer = false;
            port.cancelTimer(TimerKind.CALL, run.number());
        }
    }

    /** N11: a call that does not return is a run that ended unproven and a quarantined thread. */
    void callLimit(LaneRun run) {
        if (!run.callTimer || run.call.isEmpty() || run.unproven != null) {
            return;
        }
        if (run.draining && !run.interrupted) {
            run.interrupted = true;
            port.interrupt(run.work);
            startCall(run, run.call);
            return;
        }
        String call = run.call;
        lost(
                run,
                new Ending(
                        Happening.CALL_NEVER_RETURNED,
                        call,
                        "the driver's " + call + " of run " + run.work.name() + " did not return within "
                                + settings.callLimit(),
                        null));
    }

    // ---- deadlines

    /** Starts the execution deadlines of runs that execute from now on. */
    void armExecutionDeadlines() {
        for (LaneRun run : order.inSlots()) {
            Duration limit = run.work.executionDeadline();
            if (run.launched && !run.over && !run.executionTimer && limit != null && order.allAheadOver(run)) {
                run.executionTimer = true;
                port.startTimer(TimerKind.EXECUTION, run.number(), limit);
            }
        }
    }

    void isOver(LaneRun run) {
        if (!run.over) {
            run.over = true;
            if (run.executionTimer) {
                port.cancelTimer(TimerKind.EXECUTION, run.number());
            }
            armExecutionDeadlines();
        }
    }

    void executionDeadline(LaneRun run) {
        if (run.over || run.unproven != null) {
            return;
        }
        if (run.phase == RunPhase.LAUNCHED) {
            run.own = new Ending(
                    Happening.COMPLETION_UNKNOWN,
                    "deadline",
                    "run " + run.work.name() + " did not end within its execution deadline of "
                            + run.work.executionDeadline(),
                    null);
            stopWaiting(run, false);
        } else if (run.phase == RunPhase.FINALIZING && !run.interrupted) {
            run.interrupted = true;
            port.interrupt(run.work);
        }
    }

    void stopWaiting(LaneRun run, boolean drain) {
        move(run, Lifecycle.Event.FINALIZE);
        run.draining = drain;
        run.interrupted = !drain;
        port.stopWaiting(run.slot, run.work, drain);
        startCall(run, "finalize");
    }

    // ---- ends that are decided

    /** Whether an end may still be decided for a run (N7, N11). */
    boolean mayBeDecided(LaneRun run) {
        return !run.launchCalled && !run.ending() && run.own == null && run.phase != RunPhase.FINALIZING && !poisoned();
    }

    void decide(LaneRun run, Ending ending) {
        run.decided = ending;
        endBeforeLaunch(run);
    }

    /** Ends a run that is not launched as soon as that can be: at once, when its preparation ends, or after a finalize. */
    void endBeforeLaunch(LaneRun run) {
        run.asking = Asking.NOTHING;
        switch (run.phase) {
            case QUEUED, DEFERRED -> overWithoutFinalize(run);
            case PREPARED -> {
                move(run, Lifecycle.Event.FINALIZE);
                port.finalizeRun(run.slot, run.work);
                startCall(run, "finalize");
            }
            default -> {
                // being prepared: once that ends
            }
        }
    }

    void overWithoutFinalize(LaneRun run) {
        endCall(run);
        move(run, Lifecycle.Event.ENDED);
        isOver(run);
    }

    /** The driver's part is over, and proven to be. */
    void finalized(LaneRun run) {
        move(run, Lifecycle.Event.FINALIZED);
        isOver(run);
        Ending own = run.own;
        if (own != null && own.happening().poisons() && run.decided == null) {
            RunFailure failure = failure(own);
            port.poisoned(run.number(), failure);
            poison(run, failure);
        }
    }

    /** The run has ended, and nobody can prove that the device is finished with it (F2). */
    void lost(LaneRun run, Ending ending) {
        String call = run.call;
        endCall(run);
        if (ending.happening() == Happening.CALL_NEVER_RETURNED
                || (ending.happening() == Happening.CLOSED_WITHOUT_WAITING && !call.isEmpty())) {
            slotReady[run.slot] = false;

            port.quarantined(run.slot, run.work, call);
        }
        run.unproven = ending;
        run.asking = Asking.NOTHING;
        if (run.phase != RunPhase.FINALIZED) {
            move(run, Lifecycle.Event.LOST);
        }
        RunFailure failure = failure(ending);
        port.unproven(run.number(), failure, run.retained);
        poison(run, failure);
        isOver(run);
    }

    /**
     * Whether the slot has more to do for a run. One whose end is only decided may still stand in a preparation or a finalize; one
     * that is finalized may still have its host outputs, which are copied back when it may retire.
     */
    boolean slotHasMore(LaneRun run) {
        if (run.unproven != null || run.phase == RunPhase.RETIRED) {
            return false;
        }
        return run.phase != RunPhase.FINALIZED
                || (run.work.hostOutputs()
                        && !run.copiedBack
                        && provenEnding(run).happening() == Happening.COMPLETED);
    }

    void slotDied(LaneRun run, String why) {
        String message = "the slot that carried run " + run.work.name() + " died: " + why;
        if (run.attempt == 0) {
            run.own = new Ending(Happening.SLOT_DIED_BEFORE, "slot", message, null);
            endBeforeLaunch(run);
        } else {
            lost(run, new Ending(Happening.SLOT_DIED_AFTER_PREPARE_BEGAN, "slot", message, null));
        }
    }

    Ending closed(LaneRun run) {
        return new Ending(
                Happening.CLOSED_WITHOUT_WAITING,
                "close",
                "run " + run.work.name() + " had not ended when the device's close-timeout passed",
                null);
    }

    void closeNow(LaneRun run) {
        if (run.unproven != null || run.phase == RunPhase.FINALIZED || run.phase == RunPhase.RETIRED) {
            return;
        }
        switch (run.phase) {
            case QUEUED, DEFERRED, PREPARED -> {
                run.decided = closed(run);
                endBeforeLaunch(run);
            }
            case LAUNCHED -> {
                run.own = run.own == null ? closed(run) : run.own;
                stopWaiting(run, false);
            }
            case EXECUTED, FINALIZING -> {
                run.interrupted = true;
                port.interrupt(run.work);
            }
            default -> lost(run, closed(run));
        }
    }

    // ---- poison

    private void poison(LaneRun cause, RunFailure failure) {
        poisoners.put(cause.work.dispatch(), cause.number());
        if (poison == null) {
            poison = failure;
            poisonedBy = holder(cause);
        }
        for (LaneRun run : order.snapshot()) {
            if (run == cause || run.ending()) {
                continue;
            }
            if (!run.launchCalled) {
                if (run.phase != RunPhase.FINALIZING) {
                    endBeforeLaunch(run);
                }
            } else if (run.phase == RunPhase.LAUNCHED && run.work.dispatch() > cause.work.dispatch()) {
                // it may never start behind the lost one: it is drained now, not waited for
                stopWaiting(run, true);
            }
        }
    }

    /** Whether a run whose end poisoned the lane was ahead of this one. */
    boolean poisonedAhead(LaneRun run) {
        Long first = poisoners.isEmpty() ? null : poisoners.firstKey();
        return first != null && first < run.work.dispatch();
    }

    private boolean poisonedByAnother(LaneRun run) {
        return poisoners.size() > (poisoners.containsKey(run.work.dispatch()) ? 1 : 0);
    }

    // ---- retirement

    /** Discharges what has ended, launched runs in their order (N1). */
    void retire() {
        boolean again = !order.noneFinalized();
        while (again) {
            again = false;
            for (LaneRun run : order.finalizedRuns()) {
                if (run.asking == Asking.NOTHING && order.mayRetire(run)) {
                    again |= retire(run);
                }
            }
        }
    }

    private boolean retire(LaneRun run) {
        Ending ending = run.unproven != null ? run.unproven : provenEnding(run);
        boolean completed = ending.happening() == Happening.COMPLETED;
        if (completed && run.work.hostOutputs() && !run.copiedBack) {
            run.asking = Asking.COPY_BACK;
            port.askCopyBack(run.number());
            return false;
        }
        move(run, Lifecycle.Event.RETIRE);
        order.remove(run);
        port.cancelTimer(TimerKind.QUEUE, run.number());
        boolean standing = run.decided != null
                || run.unproven != null
                || ending.happening().reason() == FailureReason.POISONED
                || ending.happening() == Happening.READ_VOID_BYTES;
        port.discharge(
                run.number(),
                new RunEnd(
                        completed ? null : failure(ending),
                        run.unproven == null,
                        run.unproven != null || ending.happening().poisons(),
                        run.launchCalled,
                        standing,
                        completed ? run.outputs : List.of(),
                        run.unproven == null ? List.of() : run.retained));
        return true;
    }

    private Ending provenEnding(LaneRun run) {
        Ending own = run.own != null ? run.own : new Ending(Happening.COMPLETED, "", "", null);
        Happening what = FailurePolicy.provenEnd(
                run.decided == null ? null : run.decided.happening(),
                !run.launchCalled && poisonedByAnother(run),
                run.launchCalled && poisonedAhead(run),
                own.happening());
        if (run.decided != null) {
            return run.decided;
        }
        if (what == own.happening()) {
            return own;
        }
        RunFailure cause = poison;
        if (cause == null) {
            throw new IllegalStateException("poisoned without a cause: " + run.work.name());
        }
        return new Ending(
                what,
                cause.operation(),
                "run " + run.work.name() + ": the lane is poisoned by " + poisonedBy + " (" + cause.message()
                        + "). Reset the device to go on.",
                poisonedBy);
    }

    private static RunFailure failure(Ending e) {
        FailureReason reason = e.happening().reason();
        if (reason == null) {
            throw new IllegalStateException("a completed run has no failure");
        }
        return new RunFailure(reason, e.by(), e.operation(), e.message());
    }
}
