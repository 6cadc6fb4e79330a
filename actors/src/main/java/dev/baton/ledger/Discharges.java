package dev.baton.ledger;

import dev.baton.build.Fence;
import dev.baton.build.Outcome;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.Poison;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunReply;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** From the first preparation of a run to its discharge: fences, judgements, marks, voids (L7, F1, F2, B8). */
final class Discharges {
    private final LedgerState s;
    private final Predecessors predecessors;
    private final Transfers transfers;
    private final Releases releases;

    Discharges(LedgerState state, Transfers transfers, Releases releases) {
        this.s = state;
        this.predecessors = new Predecessors(state.runs);
        this.transfers = transfers;
        this.releases = releases;
    }

    /**
     * The lane wants to begin a preparation.
     *
     * @param seen admissions that the lane had heard of when it asked; an unheard one with a lower id goes first
     */
    void begin(long number, int attempt, boolean early, long seen) {
        LiveRun run = s.runs.find(number);
        if (run == null) {
            return;
        }
        if (overtaken(run, seen) || run.slot < 0 || run.callable.registering || !run.blockers.isEmpty()) {
            s.port.beginDenied(number, attempt, false);
            return;
        }
        if (early && readsHostBytesAhead(run)) {
            s.port.beginDenied(number, attempt, true);
            return;
        }
        String unregistered = run.callable.failure;
        if (unregistered != null) {
            s.port.failedAhead(
                    number,
                    new RunFailure(
                            FailureReason.PREPARE_FAILED,
                            null,
                            "prepare",
                            "callable " + run.callable.spec.name() + " could not be registered: " + unregistered));
            return;
        }
        Cause cause = predecessors.judge(run);
        if (cause != null) {
            run.failedBy = cause;
            s.port.failedAhead(number, Predecessors.failure(run, cause));
            return;
        }
        s.runs.began(run);
        s.port.beginGranted(number, attempt, run.callable.build == null ? Fence.EMPTY : fence(run));
    }

    void launch(long number) {
        LiveRun run = s.runs.find(number);
        if (run == null) {
            return;
        }
        Cause cause = predecessors.judge(run);
        if (cause != null) {
            run.failedBy = cause;
            s.port.failedAhead(number, Predecessors.failure(run, cause));
        } else {
            s.port.launchGranted(number);
        }
    }

    /** A completed run wants to write its host buffers back: only if it did complete (B1). */
    void copyBack(long number) {
        LiveRun run = s.runs.find(number);
        if (run == null) {
            return;
        }
        Cause cause = predecessors.judge(run);
        run.failedBy = cause;
        s.port.copyBackGranted(number, cause == null ? null : Predecessors.failure(run, cause));
    }

    private boolean overtaken(LiveRun run, long seen) {
        for (LiveRun ahead : s.runs.ahead(run.dispatch).values()) {
            if (ahead.admission > seen) {
                return true;
            }
        }
        return false;
    }

    private boolean readsHostBytesAhead(LiveRun run) {
        for (Use use : run.uses) {
            if (use.role().reads() && use.allocation().host != null) {
                for (LiveRun ahead : s.runs.ahead(run.dispatch).values()) {
                    if (ahead.declares(use.allocation(), use.start(), use.end())) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** One snapshot of what an attempt may not read or write yet (B8). */
    private Fence fence(LiveRun run) {
        Fence.Builder fence = Fence.builder();
        Set<Allocation> mine = allocationsOf(run);
        for (LiveRun ahead : s.runs.ahead(run.dispatch).values()) {
            for (Use u : ahead.uses) {
                if (mine.contains(u.allocation())) {
                    Outcome outcome = ahead.outcome;
                    if (outcome == null) {
                        outcome = new Outcome();
                        ahead.outcome = outcome;
                    }
                    fence.entry(
                            ahead.holder(),
                            ahead.dispatch,
                            u.allocation().handle.id(),
                            u.start(),
                            u.end(),
                            u.role().writes(),
                            u.role() == Role.OUT,
                            outcome);
                }
            }
        }
        for (Allocation a : mine) {
            if (a.hasVoids()) {
                for (VoidMap.Interval i : a.voids().intervals()) {
                    for (Cause c : i.causes()) {
                        if (c.dispatch() < run.dispatch) {
                            fence.voided(a.handle.id(), i.start(), i.end(), c.by(), c.why(), c.dispatch());
                        }
                    }
                }
            }
            if (a.hasUnreadable()) {
                for (MarkMap.Marked m : a.unreadable().marks()) {
                    fence.unreadable(
                            a.handle.id(),
                            m.start(),
                            m.end(),
                            m.cause().by(),
                            m.cause().why());
                }
            }
        }
        return fence.build();
    }

    private static Set<Allocation> allocationsOf(LiveRun run) {
        Set<Allocation> mine = new LinkedHashSet<>();
        for (Use u : run.uses) {
            mine.add(u.allocation());
        }
        return mine;
    }

    /** F2: leaves the marks of an unproven end, and the poison, in the step that hears of it; its answer may wait. */
    void unproven(long number, RunFailure failure, List<Object> retained) {
        LiveRun run = s.runs.find(number);
        if (run == null || run.marked) {
            return;
        }
        poison(run, failure);
        mark(run, failure, retained);
    }

    /** A proven end that poisons (COMPLETION_UNKNOWN): told before its turn, so that nothing more is admitted. */
    void poisoned(long number, RunFailure failure) {
        LiveRun run = s.runs.find(number);
        if (run != null) {
            poison(run, failure);
        }
    }

    private void poison(LiveRun run, RunFailure failure) {
        if (s.poison == null) {
            Poison poison = new Poison(run.holder(), failure.reason(), failure.message());
            s.poison = poison;
            s.port.event(new DeviceEvent.Poisoned(s.device, poison));
        }
    }

    private void mark(LiveRun run, RunFailure failure, List<Object> retained) {
        run.marked = true;
        s.unprovenRuns++;
        s.retained.addAll(retained);
        Cause cause = new Cause(run.holder(), run.dispatch, true, failure.message());
        for (Use u : run.uses) {
            Allocation a = u.allocation();
            if (a.unreleasable == null) {
                a.unreleasable = cause;
            }
            if (u.role().writes()) {
                a.unreadable().add(u.start(), u.end(), cause);
            }
        }
        if (run.outcome != null) {
            run.outcome.unproven(run.holder(), failure.message());
        }
        for (Allocation a : allocationsOf(run)) {
            releases.marked(a);
        }
    }

    /** L7: takes a run out of the table, once, with all that follows; then its answer leaves. */
    void discharge(long number, RunEnd end, long timeNanos) {
        LiveRun run = s.runs.find(number);
        if (run == null) {
            return;
        }
        RunFailure failure = end.failure();
        Cause predecessor = end.proven() && !end.standing() ? predecessors.judge(run) : null;
        if (end.poisons() && failure != null) {
            poison(run, failure);
        }
        if (!end.proven() && !run.marked && failure != null) {
            mark(run, failure, end.retained());
        }
        if (predecessor != null) {
            failure = Predecessors.failure(run, predecessor);
        }
        forget(run);
        settle(run, end, failure, predecessor);
        s.port.reply(
                run.token,
                new RunReply.Finished(run.id, run.name, failure, failure == null ? end.outputs() : List.of()),
                true);
        s.port.event(new DeviceEvent.RunEnded(run.id, run.name, failure, timeNanos));
        for (SlotTable.Change c : s.slots.remove(run)) {
            s.port.slotChanged(c.run().id.number(), c.slot());
        }
        transfers.produced(run);
        for (Allocation a : allocationsOf(run)) {
            releases.holderGone(a);
        }
        s.compactVoids();
    }

    private void forget(LiveRun run) {
        s.runs.remove(run);
        run.callable.liveRuns--;
        for (Use u : run.uses) {
            u.allocation().borrowers.remove(run);
        }
    }

    /** What became of the bytes that it declared (F1), and what fences that captured it learn (B8). */
    private void settle(LiveRun run, RunEnd end, @Nullable RunFailure failure, @Nullable Cause predecessor) {
        if (failure == null) {
            for (Use u : run.uses) {
                if (u.role() == Role.OUT) {
                    s.heal(new Range(u.allocation(), u.start(), u.end()), run.dispatch);
                }
            }
            if (run.outcome != null) {
                run.outcome.produced();
            }
            return;
        }
        Cause first = predecessor != null ? predecessor : run.failedBy != null ? run.failedBy : named(run, failure);
        // the first cause travels down a chain of any length without growing
        String why = failure.reason() == FailureReason.PREDECESSOR_FAILED && first != null
                ? first.why()
                : "run " + run.name + " failed " + failure.reason() + " at " + failure.operation() + ": "
                        + failure.message();
        Cause cause = new Cause(run.holder(), run.dispatch, end.launched(), why);
        for (Use u : run.uses) {
            if (u.role().writes()) {
                s.addVoid(u.allocation(), u.start(), u.end(), cause);
            }
        }
        if (run.outcome != null) {
            run.outcome.failed(run.holder(), why);
        }
    }

    /** The void bytes that a run's own build met and named: what they were void by. */
    private static @Nullable Cause named(LiveRun run, RunFailure failure) {
        if (failure.reason() != FailureReason.PREDECESSOR_FAILED) {
            return null;
        }
        for (Allocation a : allocationsOf(run)) {
            if (a.hasVoids()) {
                for (VoidMap.Interval i : a.voids().intervals()) {
                    for (Cause c : i.causes()) {
                        if (c.by().equals(failure.by())) {
                            return c;
                        }
                    }
                }
            }
        }
        return null;
    }
}
