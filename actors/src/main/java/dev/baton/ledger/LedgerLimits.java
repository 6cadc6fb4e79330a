package dev.baton.ledger;

/**
 * Bounds of the ledger's tables; beyond one the answer is BUSY (QUEUE_FULL for runs) and nothing is recorded.
 *
 * @param depth slots
 * @param queue runs that may wait beyond the slots
 * @param pendingCopies copies that may be under way or waiting
 * @param pendingMemoryCalls allocations, frees and registrations that the platform has not answered
 * @param allocations entries of the table
 * @param callables registered callables
 * @param drainWaiters clients that may wait for a drain
 */
public record LedgerLimits(
        int depth,
        int queue,
        int pendingCopies,
        int pendingMemoryCalls,
        int allocations,
        int callables,
        int drainWaiters) {}
