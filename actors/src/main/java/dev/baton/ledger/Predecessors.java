package dev.baton.ledger;

import dev.baton.protocol.FailureReason;
import dev.baton.protocol.RunFailure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Failure follows the data: judges a run by the void bytes that it reads (F1). */
final class Predecessors {
    private final LiveRuns runs;

    Predecessors(LiveRuns runs) {
        this.runs = runs;
    }

    /** The latest cause by which a run fails now, or null. */
    @Nullable
    Cause judge(LiveRun run) {
        Cause worst = null;
        for (Use use : run.uses) {
            if (!use.role().reads() || !use.allocation().hasVoids()) {
                continue;
            }
            for (VoidMap.Interval i : use.allocation().voids().intervals()) {
                if (i.start() >= use.end() || use.start() >= i.end()) {
                    continue;
                }
                Cause c = lastBefore(i.causes(), run.dispatch);
                if (c == null || (worst != null && worst.dispatch() >= c.dispatch())) {
                    continue;
                }
                long from = Math.max(i.start(), use.start());
                long to = Math.min(i.end(), use.end());
                if (!rewritten(use.allocation(), from, to, c.dispatch(), run.dispatch)) {
                    worst = c;
                }
            }
        }
        return worst;
    }

    /** What a run that depends on a failed one answers: the run it depends on, with the first cause. */
    static RunFailure failure(LiveRun run, Cause cause) {
        return new RunFailure(
                FailureReason.PREDECESSOR_FAILED,
                cause.by(),
                "predecessor",
                "run " + run.name + " reads bytes that " + cause.by() + " should have written: " + cause.why()
                        + ". Run the producer again, then this run.");
    }

    private static @Nullable Cause lastBefore(List<Cause> causes, long dispatch) {
        for (int k = causes.size() - 1; k >= 0; k--) {
            if (causes.get(k).dispatch() < dispatch) {
                return causes.get(k);
            }
        }
        return null;
    }

    /** Whether unretired runs between declare all of the bytes OUT: then they may still become good. */
    private boolean rewritten(Allocation a, long from, long to, long above, long below) {
        List<long[]> open = new ArrayList<>();
        open.add(new long[] {from, to});
        for (LiveRun between : runs.between(above, below)) {
            for (Use u : between.uses) {
                if (u.role() == dev.baton.protocol.Role.OUT && u.overlaps(a, from, to)) {
                    open = without(open, u.start(), u.end());
                    if (open.isEmpty()) {
                        return true;
                    }
                }
            }
        }
        return open.isEmpty();
    }

    private static List<long[]> without(List<long[]> open, long start, long end) {
        List<long[]> left = new ArrayList<>(open.size() + 1);
        for (long[] o : open) {
            if (end <= o[0] || o[1] <= start) {
                left.add(o);
                continue;
            }
            if (o[0] < start) {
                left.add(new long[] {o[0], start});
            }
            if (end < o[1]) {
                left.add(new long[] {end, o[1]});
            }
        }
        return left;
    }
}
