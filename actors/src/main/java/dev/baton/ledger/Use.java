package dev.baton.ledger;

import dev.baton.protocol.Role;

/**
 * What a run does with bytes of an allocation: the facts of its borrow and declaration.
 *
 * @param argument index of the argument
 * @param start first byte, relative to the allocation
 * @param end one past the last byte
 */
public record Use(int argument, Allocation allocation, long start, long end, Role role) {
    boolean overlaps(Allocation other, long otherStart, long otherEnd) {
        return allocation == other && start < otherEnd && otherStart < end;
    }
}
