package dev.baton.ledger;

/**
 * Bytes of one allocation.
 *
 * @param start first byte, relative to the allocation
 * @param end one past the last byte
 */
public record Range(Allocation allocation, long start, long end) {
    boolean overlaps(long otherStart, long otherEnd) {
        return start < otherEnd && otherStart < end;
    }

    boolean overlaps(Range other) {
        return allocation == other.allocation && overlaps(other.start, other.end);
    }
}
