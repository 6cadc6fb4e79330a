package dev.baton.build;

import dev.baton.protocol.Holder;
import dev.baton.protocol.build.Access;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one attempt may not read or write yet: one snapshot taken when its preparation starts, whose entries carry write-once
 * outcomes (B8). Immutable but for those; any thread may ask.
 */
public final class Fence {
    /** Nothing stands in the way. */
    public static final Fence EMPTY = new Fence(Map.of());

    private final Map<Long, FencedBytes> byAllocation;

    private Fence(Map<Long, FencedBytes> byAllocation) {
        this.byAllocation = byAllocation;
    }

    /** Begins a snapshot. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects a snapshot; for one thread. */
    public static final class Builder {
        private final Map<Long, Draft> drafts = new HashMap<>();

        private static final class Draft {
            final List<FencedBytes.Entry> entries = new ArrayList<>();
            final List<FencedBytes.Mark> marks = new ArrayList<>();
        }

        private Builder() {}

        /**
         * A span of an earlier live run. An empty one says nothing (L2).
         *
         * @param dispatch the run's place in the order
         * @param start first byte, relative to the allocation
         * @param end one past the last byte
         * @param declares OUT or INOUT
         * @param overwrites OUT; implies {@code declares}
         * @param outcome the run's, the same for all its spans
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
            if (overwrites && !declares) {
                throw new IllegalArgumentException(run + " overwrites bytes that it does not declare");
            }
            if (range(start, end)) {
                draft(allocation)
                        .entries
                        .add(new FencedBytes.Entry(run, dispatch, start, end, declares, overwrites, outcome));
            }
            return this;
        }

        /** Bytes that were void when the snapshot was taken. */
        public Builder voided(long allocation, long start, long end, Holder by, String why, long dispatch) {
            Outcome failed = new Outcome();
            failed.failed(by, why);
            return entry(by, dispatch, allocation, start, end, true, false, failed);
        }

        /** Bytes that carried a mark when the snapshot was taken. */
        public Builder unreadable(long allocation, long start, long end, Holder by, String why) {
            if (range(start, end)) {
                draft(allocation).marks.add(new FencedBytes.Mark(start, end, by, why));
            }
            return this;
        }

        private Draft draft(long allocation) {
            return drafts.computeIfAbsent(allocation, a -> new Draft());
        }

        private static boolean range(long start, long end) {
            if (start > end) {
                throw new IllegalArgumentException("start=" + start + " end=" + end);
            }
            return start < end;
        }

        /** The snapshot. */
        public Fence build() {
            if (drafts.isEmpty()) {
                return EMPTY;
            }
            Map<Long, FencedBytes> map = new HashMap<>();
            drafts.forEach((allocation, d) -> map.put(allocation, new FencedBytes(d.entries, d.marks)));
            return new Fence(map);
        }
    }

    /** What stands in the way in one allocation, or null if nothing does, for the whole attempt. */
    @Nullable
    FencedBytes of(long allocation) {
        return byAllocation.get(allocation);
    }

    /**
     * Why bytes may not be read now, or null if they may. In order: unreadable, not produced, void (L12, B3).
     *
     * @param start first byte, relative to the allocation
     */
    public @Nullable Access read(long allocation, long start, long bytes) {
        FencedBytes fenced = byAllocation.get(allocation);
        return fenced == null ? null : fenced.read(start, start + bytes);
    }

    /**
     * Why bytes may not be written, or null if they may: no earlier live run may name them (B3). Void bytes may be written;
     * they heal when the run completes (F1).
     *
     * @param start first byte, relative to the allocation
     */
    public @Nullable Access write(long allocation, long start, long bytes) {
        FencedBytes fenced = byAllocation.get(allocation);
        return fenced == null ? null : fenced.write(start, start + bytes);
    }
}
