package dev.baton.build;

import dev.baton.protocol.Holder;
import dev.baton.protocol.build.Access;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one attempt may not read or write yet: one snapshot taken when its preparation starts, whose entries carry write-once
 * outcomes (B8). Immutable; any thread may ask.
 */
public final class Fence {
    /** Nothing stands in the way. */
    public static final Fence EMPTY = new Fence(Map.of());

    private final Map<Long, Entries> byAllocation;

    private Fence(Map<Long, Entries> byAllocation) {
        this.byAllocation = byAllocation;
    }

    /** One span of an earlier run, or void bytes found by the snapshot. */
    private record Entry(
            Holder run, long dispatch, long start, long end, boolean declares, boolean overwrites, Outcome outcome) {}

    private record Unreadable(long start, long end, Holder by, String why) {}

    private static final class Entries {
        final List<Entry> entries = new ArrayList<>();
        final List<Unreadable> unreadable = new ArrayList<>();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects a snapshot. */
    public static final class Builder {
        private final Map<Long, Entries> map = new HashMap<>();

        private Entries of(long allocation) {
            return map.computeIfAbsent(allocation, a -> new Entries());
        }

        /**
         * A span of an earlier live run.
         *
         * @param declares OUT or INOUT
         * @param overwrites OUT
         */
        public Builder entry(
                Holder run,
                long dispatch,
                long allocation,
                long start,
                long end,
                boolean declares,
                boolean overwrites,
                Outcome outcome) {
            of(allocation).entries.add(new Entry(run, dispatch, start, end, declares, overwrites, outcome));
            return this;
        }

        /** Bytes that were void already. */
        public Builder voided(long allocation, long start, long end, Holder by, String why, long dispatch) {
            Outcome failed = new Outcome();
            failed.failed(by, why);
            return entry(by, dispatch, allocation, start, end, true, false, failed);
        }

        /** Bytes that carried a mark already. */
        public Builder unreadable(long allocation, long start, long end, Holder by, String why) {
            of(allocation).unreadable.add(new Unreadable(start, end, by, why));
            return this;
        }

        public Fence build() {
            if (map.isEmpty()) {
                return EMPTY;
            }
            for (Entries e : map.values()) {
                e.entries.sort(Comparator.comparingLong(Entry::dispatch));
            }
            return new Fence(map);
        }
    }

    /** Whether nothing at all stands in the way of an allocation, now and for the whole attempt. */
    boolean clear(long allocation) {
        return !byAllocation.containsKey(allocation);
    }

    /** Why bytes may not be read, or null if they may. Judged: unreadable, then not produced, then void (L12, B3). */
    public @Nullable Access read(long allocation, long start, long bytes) {
        Entries e = byAllocation.get(allocation);
        if (e == null || bytes == 0) {
            return null;
        }
        long end = start + bytes;
        for (Unreadable u : e.unreadable) {
            if (u.start < end && start < u.end) {
                return new Access.Unproven(u.by, u.why);
            }
        }
        Entry pending = null;
        for (Entry x : e.entries) {
            if (x.declares && x.start < end && start < x.end) {
                Outcome.State state = x.outcome.state();
                if (state instanceof Outcome.State.Unproven u) {
                    return new Access.Unproven(u.by(), u.why());
                }
                if (state == Outcome.State.Pending.INSTANCE) {
                    pending = x;
                }
            }
        }
        if (pending != null) {
            return new Access.NotProducedYet(pending.run);
        }
        return voided(e.entries, start, end);
    }

    /** Lays the resolved entries over one another in dispatch order; the latest failure that stays uncovered. */
    private static @Nullable Access voided(List<Entry> entries, long start, long end) {
        for (int k = entries.size() - 1; k >= 0; k--) {
            Entry x = entries.get(k);
            if (x.declares
                    && x.start < end
                    && start < x.end
                    && x.outcome.state() instanceof Outcome.State.Failed failed
                    && !healed(entries, k + 1, Math.max(start, x.start), Math.min(end, x.end))) {
                return new Access.Failed(failed.by(), failed.why());
            }
        }
        return null;
    }

    private static boolean healed(List<Entry> entries, int from, long start, long end) {
        if (start >= end) {
            return true;
        }
        for (int k = from; k < entries.size(); k++) {
            Entry x = entries.get(k);
            if (x.overwrites
                    && x.start < end
                    && start < x.end
                    && x.outcome.state() == Outcome.State.Produced.INSTANCE) {
                return healed(entries, k + 1, start, Math.min(end, x.start))
                        && healed(entries, k + 1, Math.max(start, x.end), end);
            }
        }
        return false;
    }

    /** Why bytes may not be written, or null if they may: no earlier live run may name them (B3). */
    public @Nullable Access write(long allocation, long start, long bytes) {
        Entries e = byAllocation.get(allocation);
        if (e == null || bytes == 0) {
            return null;
        }
        long end = start + bytes;
        for (Unreadable u : e.unreadable) {
            if (u.start < end && start < u.end) {
                return new Access.Unproven(u.by, u.why);
            }
        }
        Entry pending = null;
        for (Entry x : e.entries) {
            if (x.start < end && start < x.end) {
                Outcome.State state = x.outcome.state();
                if (state instanceof Outcome.State.Unproven u) {
                    return new Access.Unproven(u.by(), u.why());
                }
                if (state == Outcome.State.Pending.INSTANCE) {
                    pending = x;
                }
            }
        }
        return pending == null ? null : new Access.NotProducedYet(pending.run);
    }
}
