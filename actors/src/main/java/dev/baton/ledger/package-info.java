/**
 * The ledger of one epoch: the table of allocations, who borrows and declares what, and admission (DESIGN section 3).
 *
 * <p>Everything but {@link dev.baton.ledger.BufferLedger} is plain and single-threaded: the same classes serve the actor,
 * unit tests and benchmarks.
 */
@org.jspecify.annotations.NullMarked
package dev.baton.ledger;
