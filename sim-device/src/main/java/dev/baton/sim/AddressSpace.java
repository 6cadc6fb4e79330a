package dev.baton.sim;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Hands out address ranges: first fit, lowest address, aligned. Knows nothing of bytes; used inside the device's gate. */
final class AddressSpace {
    private final long alignment;
    private final TreeMap<Long, Long> gaps = new TreeMap<>();
    private final Map<Long, Long> taken = new HashMap<>();
    private long usedUpTo;

    /**
     * Makes a space.
     *
     * @param usedUpTo addresses below were used before
     */
    AddressSpace(long base, long bytes, long alignment, long usedUpTo) {
        this.alignment = alignment;
        this.usedUpTo = Math.max(base, usedUpTo);
        if (bytes > 0) {
            gaps.put(base, bytes);
        }
    }

    /** The address of a fresh range, or -1 if it does not fit. */
    long take(long bytes) {
        Map.Entry<Long, Long> gap = firstFit(bytes);
        if (gap == null) {
            return -1;
        }
        long address = gap.getKey();
        long have = gap.getValue();
        long size = Math.min(have, roundUp(bytes));
        gaps.remove(address);
        if (have > size) {
            gaps.put(address + size, have - size);
        }
        taken.put(address, size);
        usedUpTo = Math.max(usedUpTo, address + size);
        return address;
    }

    private Map.@Nullable Entry<Long, Long> firstFit(long bytes) {
        for (Map.Entry<Long, Long> gap : gaps.entrySet()) {
            if (gap.getValue() >= bytes) {
                return Map.entry(gap.getKey(), gap.getValue());
            }
        }
        return null;
    }

    /** Gives a range back. */
    void give(long address) {
        Long size = taken.remove(address);
        if (size == null) {
            throw new IllegalArgumentException("0x" + Long.toHexString(address) + " is not taken");
        }
        long start = address;
        long length = size;
        Map.Entry<Long, Long> before = gaps.lowerEntry(start);
        if (before != null && before.getKey() + before.getValue() == start) {
            gaps.remove(before.getKey());
            start = before.getKey();
            length += before.getValue();
        }
        Long after = gaps.remove(address + size);
        gaps.put(start, after == null ? length : length + after);
    }

    /** The first address that was never handed out. */
    long usedUpTo() {
        return usedUpTo;
    }

    /** The largest range that fits. */
    long largest() {
        return gaps.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    private long roundUp(long bytes) {
        long up = (bytes + alignment - 1) & -alignment;
        return up < bytes ? bytes : up;
    }
}
