package dev.baton.ledger;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bytes of one allocation that are {@code unreadable}, with the first cause of each; marks only grow (L7). */
final class MarkMap {
    private final List<Marked> marks = new ArrayList<>(0);

    record Marked(long start, long end, Cause cause) {}

    boolean isEmpty() {
        return marks.isEmpty();
    }

    List<Marked> marks() {
        return marks;
    }

    /** Marks the bytes that carry no mark yet. */
    void add(long start, long end, Cause cause) {
        List<Marked> fresh = new ArrayList<>();
        long at = start;
        for (Marked m : marks) {
            if (m.end <= at || m.start >= end) {
                continue;
            }
            if (at < m.start) {
                fresh.add(new Marked(at, m.start, cause));
            }
            at = Math.max(at, m.end);
        }
        if (at < end) {
            fresh.add(new Marked(at, end, cause));
        }
        marks.addAll(fresh);
        marks.sort(java.util.Comparator.comparingLong(Marked::start));
    }

    @Nullable
    Cause firstOverlap(long start, long end) {
        for (Marked m : marks) {
            if (m.start < end && start < m.end) {
                return m.cause;
            }
        }
        return null;
    }
}
