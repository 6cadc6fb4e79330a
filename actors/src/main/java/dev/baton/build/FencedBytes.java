package dev.baton.build;

import dev.baton.protocol.Holder;
import dev.baton.protocol.build.Access;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a fence holds against the bytes of one allocation (B8).
 *
 * <p>The bytes are cut at every edge of an entry into <em>stretches</em>, so that one verdict holds for all bytes of a
 * stretch: what an earlier run covers of it, it covers whole. Outcomes only ever go from pending to resolved; a verdict
 * <em>may be read</em> has nothing pending left in it, so it holds for ever and is kept with the stretch. An access then
 * costs a binary search and one volatile read.
 *
 * <p>A refusal is decided on the states of all entries concerned as they stood together at one moment: they are collected
 * until two rounds agree, which for write-once cells is a snapshot. Outcomes change at most once each, so that is soon.
 */
final class FencedBytes {
    /** One span of an earlier run, or void bytes that the snapshot found (those have failed already). */
    record Entry(
            Holder run, long dispatch, long start, long end, boolean declares, boolean overwrites, Outcome outcome) {}

    /** Unreadable bytes that the snapshot found. */
    record Mark(long start, long end, Holder by, String why) {}

    private static final class Stretch {
        final List<Entry> entries = new ArrayList<>();

        @Nullable
        Mark mark;

        volatile boolean readable;
        volatile boolean writable;
    }

    /** Ascending; stretch k covers {@code bounds[k]} to {@code bounds[k + 1]}. */
    private final long[] bounds;

    private final Stretch[] stretches;

    /** All entries, in dispatch order. */
    private final List<Entry> inOrder;

    /** At least one entry or mark; none of them empty. */
    FencedBytes(List<Entry> entries, List<Mark> marks) {
        TreeSet<Long> edges = new TreeSet<>();
        entries.forEach(e -> edges.addAll(List.of(e.start(), e.end())));
        marks.forEach(m -> edges.addAll(List.of(m.start(), m.end())));
        bounds = edges.stream().mapToLong(Long::longValue).toArray();
        stretches = new Stretch[bounds.length - 1];
        Arrays.setAll(stretches, k -> new Stretch());
        inOrder = new ArrayList<>(entries);
        inOrder.sort(Comparator.comparingLong(Entry::dispatch));
        for (Entry e : inOrder) {
            for (int k = Arrays.binarySearch(bounds, e.start()); bounds[k] < e.end(); k++) {
                stretches[k].entries.add(e);
            }
        }
        for (Mark m : marks) {
            for (int k = Arrays.binarySearch(bounds, m.start()); bounds[k] < m.end(); k++) {
                if (stretches[k].mark == null) {
                    stretches[k].mark = m;
                }
            }
        }
    }

    /** Why bytes may not be read now, or null. */
    @Nullable
    Access read(long start, long end) {
        int from = first(start);
        int to = last(end);
        for (int k = from; k <= to; k++) {
            if (!stretches[k].readable) {
                return start < end ? judge(from, to, true) : null;
            }
        }
        return null;
    }

    /** Why bytes may not be written now, or null. */
    @Nullable
    Access write(long start, long end) {
        int from = first(start);
        int to = last(end);
        for (int k = from; k <= to; k++) {
            if (!stretches[k].writable) {
                return start < end ? judge(from, to, false) : null;
            }
        }
        return null;
    }

    /** The first stretch that ends behind a byte; one past the last stretch if none does. */
    private int first(long start) {
        int at = Arrays.binarySearch(bounds, start);
        return Math.max(0, at >= 0 ? at : -at - 2);
    }

    /** The last stretch that begins before {@code end}; -1 if none does. */
    private int last(long end) {
        int at = Arrays.binarySearch(bounds, end);
        return Math.min(stretches.length - 1, (at >= 0 ? at : -at - 1) - 1);
    }

    /** Bytes that share one verdict: a stretch, or the room beside all stretches. */
    record Window(long start, long end) {
        static final Window NONE = new Window(0, 0);

        boolean holds(long at, int bytes) {
            return start <= at && at <= end - bytes;
        }

        boolean widerThan(Window other) {
            return end - start > other.end - other.start;
        }
    }

    /** The window around a byte. */
    Window window(long at) {
        int found = Arrays.binarySearch(bounds, at);
        int k = found >= 0 ? found : -found - 2;
        return new Window(k < 0 ? 0 : bounds[k], k + 1 < bounds.length ? bounds[k + 1] : Long.MAX_VALUE);
    }

    private @Nullable Access judge(int from, int to, boolean reading) {
        for (int k = from; k <= to; k++) {
            Mark mark = stretches[k].mark;
            if (mark != null) {
                return new Access.Unproven(mark.by(), mark.why());
            }
        }
        List<Entry> entries = entries(from, to);
        List<Outcome.State> states = together(entries);
        Entry pending = null;
        for (int i = 0; i < entries.size(); i++) {
            Entry e = entries.get(i);
            // a write must not disturb a run that only reads, nor one that may still be reading
            if (e.declares() || !reading) {
                if (states.get(i) instanceof Outcome.State.Unproven u) {
                    return new Access.Unproven(u.by(), u.why());
                }
                pending = states.get(i) == Outcome.State.Pending.INSTANCE ? e : pending;
            }
        }
        if (pending != null) {
            return new Access.NotProducedYet(pending.run());
        }
        Access refusal = reading ? voided(from, to, entries, states) : null;
        for (int k = from; refusal == null && k <= to; k++) {
            if (reading) {
                stretches[k].readable = true;
            } else {
                stretches[k].writable = true;
            }
        }
        return refusal;
    }

    /** The entries over some stretches, each once, in dispatch order. */
    private List<Entry> entries(int from, int to) {
        if (from == to) {
            return stretches[from].entries;
        }
        List<Entry> over = new ArrayList<>();
        for (Entry e : inOrder) {
            if (e.start() < bounds[to + 1] && bounds[from] < e.end()) {
                over.add(e);
            }
        }
        return over;
    }

    /** The states of the entries at one moment: two equal rounds of cells that change once. */
    private static List<Outcome.State> together(List<Entry> entries) {
        List<Outcome.State> before = round(entries);
        while (true) {
            List<Outcome.State> now = round(entries);
            if (same(before, now)) {
                return now;
            }
            before = now;
        }
    }

    private static boolean same(List<Outcome.State> before, List<Outcome.State> now) {
        for (int i = 0; i < now.size(); i++) {
            if (before.get(i) != now.get(i)) {
                return false;
            }
        }
        return true;
    }

    private static List<Outcome.State> round(List<Entry> entries) {
        List<Outcome.State> states = new ArrayList<>(entries.size());
        for (Entry e : entries) {
            states.add(e.outcome().state());
        }
        return states;
    }

    /** F1: lays what became of the entries over one another, stretch by stretch; the latest failure that no run healed. */
    private @Nullable Access voided(int from, int to, List<Entry> entries, List<Outcome.State> states) {
        Access latest = null;
        long dispatch = Long.MIN_VALUE;
        for (int k = from; k <= to; k++) {
            int top = -1;
            for (int i = 0; i < entries.size(); i++) {
                Entry e = entries.get(i);
                if (e.start() <= bounds[k] && bounds[k] < e.end()) {
                    if (e.declares() && states.get(i) instanceof Outcome.State.Failed) {
                        top = i;
                    } else if (e.overwrites() && states.get(i) == Outcome.State.Produced.INSTANCE) {
                        top = -1;
                    }
                }
            }
            if (top >= 0
                    && (latest == null || entries.get(top).dispatch() > dispatch)
                    && states.get(top) instanceof Outcome.State.Failed f) {
                latest = new Access.Failed(f.by(), f.why());
                dispatch = entries.get(top).dispatch();
            }
        }
        return latest;
    }
}
