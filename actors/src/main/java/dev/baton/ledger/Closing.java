package dev.baton.ledger;

import dev.baton.protocol.Poison;
import dev.baton.protocol.Refusal;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Draining, and the end of an epoch by close: gives back what can be proven and reports the rest (F3). */
final class Closing {
    private final LedgerState s;
    private final List<Long> drains = new ArrayList<>();
    private Stage stage = Stage.OPEN;
    private int freesLeft;
    private final List<Reply.BufferRef> stillAllocated = new ArrayList<>();
    private final List<Reply.BufferRef> unreleasable = new ArrayList<>();
    private final List<Reply.BufferRef> quarantined = new ArrayList<>();
    private boolean timeUp;

    private enum Stage {
        OPEN,
        DRAINING,
        FREEING,
        DONE
    }

    /**
     * What was found when the epoch ended.
     *
     * @param destroyable whether nothing may still run and nothing is leaked, so that the driver may be closed
     */
    record Report(Reply.Closed closed, boolean destroyable) {}

    Closing(LedgerState state) {
        this.s = state;
    }

    void drain(long token) {
        if (s.runs.isEmpty()) {
            s.port.reply(token, new Reply.Drained(s.poison), true);
        } else if (drains.size() >= s.limits.drainWaiters()) {
            s.refuse(
                    token,
                    Refusal.of(
                            RefusalCode.BUSY,
                            "drain: " + drains.size() + " clients wait already (drain-waiters="
                                    + s.limits.drainWaiters() + ")"));
        } else {
            drains.add(token);
        }
    }

    void begin() {
        if (stage == Stage.OPEN) {
            stage = Stage.DRAINING;
        }
    }

    /** Looks after every step whether something waited for is over; gives the report once. */
    @Nullable
    Report step() {
        if (s.runs.isEmpty() && !drains.isEmpty()) {
            for (long token : drains) {
                s.port.reply(token, new Reply.Drained(s.poison), true);
            }
            drains.clear();
        }
        boolean callsOver = s.calls.isEmpty() && s.copies.isEmpty();
        if (stage == Stage.DRAINING && s.runs.isEmpty() && timeUp && !callsOver) {
            return now(s.calls.size() + " memory calls were under way when the close-timeout passed");
        }
        if (stage == Stage.DRAINING && s.runs.isEmpty() && callsOver) {
            stage = Stage.FREEING;
            giveBack();
        }
        if (stage == Stage.FREEING && freesLeft == 0) {
            stage = Stage.DONE;
            return finish("");
        }
        return null;
    }

    void timeIsUp() {
        timeUp = true;
    }

    /** The time limit has passed with something in the way: reports without waiting, frees nothing more; null if done. */
    @Nullable
    Report now(String why) {
        if (stage == Stage.DONE) {
            return null;
        }
        if (stage != Stage.FREEING) {
            for (Allocation a : s.table.inOrder()) {
                if (a.host == null) {
                    list(a).add(ref(a));
                }
            }
        }
        stage = Stage.DONE;
        return finish(why);
    }

    private void giveBack() {
        for (Allocation a : s.table.inOrder()) {
            if (a.host != null) {
                continue;
            }
            list(a).add(ref(a));
            if (a.state == Allocation.State.LIVE && a.unreleasable == null) {
                a.state = Allocation.State.RELEASING;
                freesLeft++;
                s.call(new IoCall.Free(a.name, a.address), new LedgerState.PendingCall.ForFree(a));
            }
        }
    }

    /** Whether a free's answer belongs to the close; then nobody else is owed it. */
    boolean freed(Allocation a, IoCall.Result result) {
        if (stage != Stage.FREEING) {
            return false;
        }
        freesLeft--;
        if (result instanceof IoCall.Failed) {
            a.state = Allocation.State.QUARANTINED;
            stillAllocated.remove(ref(a));
            quarantined.add(ref(a));
            quarantined.sort(java.util.Comparator.comparingLong(r -> r.handle().id()));
        } else {
            s.table.remove(a);
        }
        return true;
    }

    private List<Reply.BufferRef> list(Allocation a) {
        if (a.state == Allocation.State.QUARANTINED) {
            return quarantined;
        }
        return a.unreleasable != null ? unreleasable : stillAllocated;
    }

    private static Reply.BufferRef ref(Allocation a) {
        return new Reply.BufferRef(a.handle, a.name, a.bytes);
    }

    private Report finish(String why) {
        Poison poison = s.poison;
        boolean leaks = !unreleasable.isEmpty() || !quarantined.isEmpty() || s.unprovenRuns > 0 || !why.isEmpty();
        String leaked = why;
        if (leaked.isEmpty() && leaks) {
            leaked = unreleasable.size() + " unreleasable and " + quarantined.size() + " quarantined buffers, "
                    + s.unprovenRuns + " unproven runs: the device's context is left as it is, since it may still run";
        }
        return new Report(new Reply.Closed(stillAllocated, unreleasable, quarantined, poison, leaked), !leaks);
    }
}
