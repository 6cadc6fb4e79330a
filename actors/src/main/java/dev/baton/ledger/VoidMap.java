package dev.baton.ledger;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The void bytes of one allocation as merged intervals, never per run (F1).
 *
 * <p>Bytes may be void by several runs at once, since only runs behind a failed one are judged by it or heal it: each interval
 * keeps its causes in dispatch order. {@link #compact} drops those that no live or future run can tell from a later one.
 */
final class VoidMap {
    /** Most intervals kept; beyond it neighbours are joined, which makes more bytes void, never fewer. */
    static final int MAX_INTERVALS = 4096;

    /** Disjoint, ascending; causes ascending in dispatch order. */
    private final List<Interval> intervals = new ArrayList<>(0);

    record Interval(long start, long end, List<Cause> causes) {}

    boolean isEmpty() {
        return intervals.isEmpty();
    }

    int size() {
        return intervals.size();
    }

    List<Interval> intervals() {
        return intervals;
    }

    /** Makes bytes void by one more cause. */
    void add(long start, long end, Cause cause) {
        if (start >= end) {
            return;
        }
        List<Interval> next = new ArrayList<>(intervals.size() + 2);
        long at = start;
        for (Interval i : intervals) {
            if (i.end <= start || i.start >= end) {
                if (i.start >= end && at < end) {
                    next.add(new Interval(at, end, List.of(cause)));
                    at = end;
                }
                next.add(i);
                continue;
            }
            if (i.start < start) {
                next.add(new Interval(i.start, start, i.causes));
            }
            long from = Math.max(i.start, start);
            long to = Math.min(i.end, end);
            if (at < from) {
                next.add(new Interval(at, from, List.of(cause)));
            }
            next.add(new Interval(from, to, with(i.causes, cause)));
            at = to;
            if (i.end > end) {
                next.add(new Interval(end, i.end, i.causes));
                at = end;
            }
        }
        if (at < end) {
            next.add(new Interval(at, end, List.of(cause)));
        }
        replace(next);
    }

    /** Heals bytes of every cause with a lower dispatch id: a run with that id wrote them, or a copy did. */
    void heal(long start, long end, long dispatch) {
        if (intervals.isEmpty() || start >= end) {
            return;
        }
        List<Interval> next = new ArrayList<>(intervals.size() + 2);
        for (Interval i : intervals) {
            if (i.end <= start || i.start >= end) {
                next.add(i);
                continue;
            }
            if (i.start < start) {
                next.add(new Interval(i.start, start, i.causes));
            }
            List<Cause> left = new ArrayList<>();
            for (Cause c : i.causes) {
                if (c.dispatch() >= dispatch) {
                    left.add(c);
                }
            }
            if (!left.isEmpty()) {
                next.add(new Interval(Math.max(i.start, start), Math.min(i.end, end), List.copyOf(left)));
            }
            if (i.end > end) {
                next.add(new Interval(end, i.end, i.causes));
            }
        }
        replace(next);
    }

    void clear() {
        intervals.clear();
    }

    /** The first interval that overlaps, or null. */
    @Nullable
    Interval firstOverlap(long start, long end) {
        for (Interval i : intervals) {
            if (i.start < end && start < i.end) {
                return i;
            }
        }
        return null;
    }

    /** Whether some cause may have written some bytes. */
    boolean touched() {
        for (Interval i : intervals) {
            for (Cause c : i.causes) {
                if (c.touched()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Drops causes that a later one hides from every live and future run. */
    void compact(Gap gap) {
        if (intervals.isEmpty()) {
            return;
        }
        List<Interval> next = new ArrayList<>(intervals.size());
        for (Interval i : intervals) {
            List<Cause> kept = new ArrayList<>(i.causes.size());
            for (int k = 0; k < i.causes.size(); k++) {
                boolean last = k == i.causes.size() - 1;
                Cause c = i.causes.get(k);
                // A touched cause must survive for Revalidate: fold it into its successor instead of losing it.
                if (last || gap.mayHoldARun(c.dispatch(), i.causes.get(k + 1).dispatch())) {
                    kept.add(c);
                } else if (c.touched() && !i.causes.get(k + 1).touched()) {
                    kept.add(c);
                }
            }
            next.add(new Interval(i.start, i.end, kept.size() == i.causes.size() ? i.causes : List.copyOf(kept)));
        }
        replace(next);
    }

    /** Tells whether a live or future run may have a dispatch id between two. */
    @FunctionalInterface
    interface Gap {
        boolean mayHoldARun(long above, long below);
    }

    private static List<Cause> with(List<Cause> causes, Cause cause) {
        List<Cause> list = new ArrayList<>(causes.size() + 1);
        boolean in = false;
        for (Cause c : causes) {
            if (!in && c.dispatch() > cause.dispatch()) {
                list.add(cause);
                in = true;
            }
            // the newer cause of the same dispatch id (copies only) takes the older one's place
            if (c.dispatch() != cause.dispatch()) {
                list.add(c);
            }
        }
        if (!in) {
            list.add(cause);
        }
        return List.copyOf(list);
    }

    private void replace(List<Interval> next) {
        intervals.clear();
        for (Interval i : next) {
            Interval last = intervals.isEmpty() ? null : intervals.get(intervals.size() - 1);
            if (last != null && last.end == i.start && last.causes.equals(i.causes)) {
                intervals.set(intervals.size() - 1, new Interval(last.start, i.end, last.causes));
            } else {
                intervals.add(i);
            }
        }
        while (intervals.size() > MAX_INTERVALS) {
            joinNearest();
        }
    }

    private void joinNearest() {
        int best = 0;
        long bestGap = Long.MAX_VALUE;
        for (int k = 0; k + 1 < intervals.size(); k++) {
            long gap = intervals.get(k + 1).start - intervals.get(k).end;
            if (gap < bestGap) {
                bestGap = gap;
                best = k;
            }
        }
        Interval a = intervals.get(best);
        Interval b = intervals.remove(best + 1);
        List<Cause> causes = a.causes;
        for (Cause c : b.causes) {
            causes = with(causes, c);
        }
        intervals.set(best, new Interval(a.start, b.end, causes));
    }
}
