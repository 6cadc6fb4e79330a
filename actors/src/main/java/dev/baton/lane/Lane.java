package dev.baton.lane;

import dev.baton.build.Fence;
import dev.baton.lane.FailurePolicy.Happening;
import dev.baton.lane.LanePort.TimerKind;
import dev.baton.lane.LaneRun.Asking;
import dev.baton.lane.LaneRun.Ending;
import dev.baton.ledger.RunWork;
import dev.baton.protocol.Holder;
import dev.baton.protocol.Refusal;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunPhase;
import dev.baton.protocol.RunTarget;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order of runs of one epoch. Each public method is one step: it takes what was heard, moves runs along their life cycle,
 * and tells the {@link LanePort} what follows. Reports of slots are in {@link SlotReports}.
 */
public final class Lane {
    private final LaneSettings settings;
    private final LanePort port;
    private final LaneOrder order;
    private final LaneEnds ends;
    private final SlotReports reports;
    private final boolean[] slotReady;
    private long admissionsSeen;
    private boolean frozen;

    public Lane(LaneSettings settings, LanePort port) {
        this.settings = settings;
        this.port = port;
        this.order = new LaneOrder(settings);
        this.slotReady = new boolean[settings.depth()];
        java.util.Arrays.fill(slotReady, true);
        this.ends = new LaneEnds(order, port, settings, slotReady);
        this.reports = new SlotReports(order, ends, port, settings);
    }

    /** What slots report; call {@link #go} after each. */
    public SlotReports reports() {
        return reports;
    }

    // ---- what the ledger says

    /** A run was admitted. */
    public void admitted(RunWork work, int slot, boolean blocked) {
        if (frozen) {
            return;
        }
        admissionsSeen = Math.max(admissionsSeen, work.admission());
        LaneRun run = new LaneRun(work, slot, blocked);
        order.add(run);
        port.phase(work, RunPhase.QUEUED, slot, 0, "");
        Duration queue = work.queueDeadline();
        if (queue != null) {
            port.startTimer(TimerKind.QUEUE, run.number(), queue);
        }
        if (ends.poisoned()) {
            ends.overWithoutFinalize(run);
        }
        go();
    }

    public void slotChanged(long number, int slot) {
        LaneRun run = order.find(number);
        if (run != null) {
            order.slot(run, slot);
        }
        go();
    }

    public void unblocked(long number) {
        LaneRun run = order.find(number);
        if (run != null) {
            run.blocked = false;
        }
        go();
    }

    public void beginGranted(long number, int attempt, Fence fence) {
        LaneRun run = order.find(number);
        if (frozen || run == null || run.asking != Asking.BEGIN || run.attempt + 1 != attempt) {
            return;
        }
        run.asking = Asking.NOTHING;
        if (run.ending()) {
            go();
            return;
        }
        run.attempt = attempt;
        run.waitsFor = "";
        ends.move(run, Lifecycle.Event.BEGIN);
        port.prepare(run.slot, run.work, attempt, !order.atFront(run), fence);
        ends.startCall(run, "prepare");
        go();
    }

    public void beginDenied(long number, int attempt, boolean onlyAtFront) {
        LaneRun run = order.find(number);
        if (run == null || run.asking != Asking.BEGIN || run.attempt + 1 != attempt) {
            return;
        }
        run.asking = Asking.NOTHING;
        if (onlyAtFront) {
            run.frontOnly = true;
            run.waitsFor = "a host buffer that a run ahead writes";
        }
        go();
    }

    public void launchGranted(long number) {
        LaneRun run = order.find(number);
        if (frozen || run == null || run.asking != Asking.LAUNCH) {
            return;
        }
        run.asking = Asking.NOTHING;
        if (run.ending() || run.phase != RunPhase.PREPARED || !order.mayLaunch(run)) {
            go();
            return;
        }
        run.launchCalled = true;
        port.cancelTimer(TimerKind.QUEUE, number);
        ends.move(run, Lifecycle.Event.LAUNCH);
        port.launch(run.slot, run.work);
        ends.startCall(run, "launch");
        go();
    }

    /** The ledger judged a run before its preparation or launch: it is over (F1). */
    public void failedAhead(long number, RunFailure failure) {
        LaneRun run = order.find(number);
        if (frozen || run == null || run.asking == Asking.NOTHING) {
            return;
        }
        run.asking = Asking.NOTHING;
        if (!run.ending()) {
            Happening what = failure.reason() == dev.baton.protocol.FailureReason.PREDECESSOR_FAILED
                    ? Happening.READ_VOID_BYTES
                    : Happening.PREPARE_FAILED;
            run.own = new Ending(what, failure.operation(), failure.message(), failure.by());
            ends.endBeforeLaunch(run);
        }
        go();
    }

    public void copyBackGranted(long number, @Nullable RunFailure failure) {
        LaneRun run = order.find(number);
        if (frozen || run == null || run.asking != Asking.COPY_BACK) {
            return;
        }
        if (failure != null) {
            run.asking = Asking.NOTHING;
            run.copiedBack = true;
            run.own = new Ending(Happening.READ_VOID_BYTES, failure.operation(), failure.message(), failure.by());
        } else {
            port.copyBack(run.slot, run.work);
            ends.startCall(run, "copy-back");
        }
        go();
    }

    // ---- what clients say

    public void activate(long token, RunTarget target) {
        LaneRun run = order.find(target);
        if (run == null || run.ending()) {
            port.reply(token, unknown("activate", target));
        } else if (run.activated) {
            port.reply(
                    token,
                    new Reply.Refused(new Refusal(
                            RefusalCode.NOT_HELD,
                            List.of(LaneEnds.holder(run)),
                            "activate: run " + run.work.name() + " is not held")));
        } else {
            run.activated = true;
            port.reply(token, new Reply.Activated(run.work.id()));
            go();
        }
    }

    public void abandon(long token, RunTarget target) {
        LaneRun run = order.find(target);
        if (run != null && run.launchCalled) {
            port.reply(
                    token,
                    new Reply.Refused(new Refusal(
                            RefusalCode.ALREADY_LAUNCHED,
                            List.of(LaneEnds.holder(run)),
                            "abandon: run " + run.work.name() + " is launched already; wait for its end")));
            return;
        }
        boolean abandoned = run != null && run.decided != null && run.decided.happening() == Happening.ABANDONED;
        if (run == null || (!abandoned && !ends.mayBeDecided(run))) {
            port.reply(token, unknown("abandon", target));
            return;
        }
        if (!abandoned) {
            ends.decide(
                    run, new Ending(Happening.ABANDONED, "abandon", "run " + run.work.name() + " was abandoned", null));
        }
        port.reply(token, new Reply.Abandoned(run.work.id()));
        go();
    }

    private static Reply.Refused unknown(String asked, RunTarget target) {
        return new Reply.Refused(Refusal.of(
                RefusalCode.UNKNOWN_RUN, asked + ": no live run " + target + "; it has ended or never was admitted"));
    }

    /** Close has begun: runs held and not activated will never be (F3). */
    public void abandonHeld() {
        for (LaneRun run : order.snapshot()) {
            if (!run.activated && ends.mayBeDecided(run)) {
                ends.decide(
                        run,
                        new Ending(
                                Happening.ABANDONED,
                                "close",
                                "run " + run.work.name() + " was held when the device was closed",
                                null));
            }
        }
        go();
    }

    /** The close-timeout has passed: nothing is waited for any more (F3). */
    public void closeNow() {
        for (LaneRun run : order.snapshot()) {
            ends.closeNow(run);
        }
        go();
    }

    /** A finalize that goes on after {@link #closeNow} is given up. */
    public void closeGraceOver() {
        for (LaneRun run : order.snapshot()) {
            if (ends.slotHasMore(run) && !run.call.isEmpty()) {
                ends.lost(run, ends.closed(run));
            }
        }
        go();
    }

    /** A reset has begun: nothing is prepared, launched or heard any more; the door answers what is owed (F4). */
    public void freeze() {
        frozen = true;
    }

    // ---- deaths and time

    /** A slot's actor died (section 6). */
    public void slotDied(int slot, String why) {
        slotReady[slot] = false;
        if (frozen) {
            return;
        }
        for (LaneRun run : order.snapshot()) {
            // also where an end is decided: a slot that dies after prepare began proves nothing (section 6)
            if (run.slot == slot && ends.slotHasMore(run)) {
                ends.slotDied(run, why);
            }
        }
        go();
    }

    /** A fresh actor stands in the slot's place. */
    public void slotReplaced(int slot) {
        slotReady[slot] = true;
        go();
    }

    public void timer(TimerKind kind, long number) {
        LaneRun run = order.find(number);
        if (frozen || run == null) {
            return;
        }
        switch (kind) {
            case QUEUE -> {
                if (!run.launchCalled && ends.mayBeDecided(run)) {
                    ends.decide(
                            run,
                            new Ending(
                                    Happening.QUEUE_DEADLINE,
                                    "deadline",
                                    "run " + run.work.name() + " was not launched within its queue deadline of "
                                            + run.work.queueDeadline(),
                                    null));
                }
            }
            case EXECUTION -> ends.executionDeadline(run);
            case CALL -> ends.callLimit(run);
        }
        go();
    }

    /** Does all that can be done now: retires, prepares, launches. */
    public void go() {
        if (frozen) {
            return;
        }
        ends.retire();
        if (ends.poisoned()) {
            return;
        }
        for (LaneRun run : order.inSlots()) {
            if (slotReady[run.slot]) {
                if (order.mayLaunch(run)) {
                    run.asking = Asking.LAUNCH;
                    port.askLaunch(run.number());
                } else if (order.mayBegin(run)) {
                    run.asking = Asking.BEGIN;
                    port.begin(run.number(), run.attempt + 1, !order.atFront(run), admissionsSeen);
                }
            }
        }
    }

    /** Runs in dispatch order, for a status. */
    public List<RunView> view() {
        return order.snapshot().stream()
                .map(r -> new RunView(
                        r.work,
                        r.phase,
                        r.slot,
                        r.attempt,
                        !r.activated,
                        r.waitsFor.isEmpty() && r.blocked ? "a copy or registration under way" : r.waitsFor))
                .toList();
    }

    /** Whether some run ended unproven. */
    public boolean poisoned() {
        return ends.poisoned();
    }

    /** The first cause of the poison, or null. */
    public @Nullable Holder poisonedBy() {
        return ends.poisonedBy();
    }

    /** One live run. */
    public record RunView(RunWork work, RunPhase phase, int slot, int attempt, boolean held, String waitsFor) {}

    LaneSettings settings() {
        return settings;
    }
}
