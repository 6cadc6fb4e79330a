/**
 * One attempt of a host build: what it may not read yet (fence), its first failure (latch), and its writes (overlay); DESIGN
 * section 5.
 *
 * <p>The ledger makes a {@link dev.baton.build.Fence} when a preparation starts; the slot gives it to a
 * {@link dev.baton.build.BuildSession} together with the run's {@link dev.baton.build.BuildArgument}s and runs the user's
 * code on it, which may use any number of threads. Afterwards the slot asks for the latched cause and either aborts the
 * attempt or applies the overlay: to the staging before the driver's prepare, to device memory right before the launch.
 *
 * <p>Two cells are shared with the outside, both written once by a compare-and-set: the
 * {@link dev.baton.build.BuildLatch} (B4) and the {@link dev.baton.build.Outcome}s of a fence (B8), which the ledger's
 * thread sets while builds read. What the threads of one build share is monotone: an overlay's bytes are only ever
 * added or replaced, a verdict <em>may be read</em> never ends. No element access sends a message, takes a lock or, on its
 * good path, allocates.
 */
@org.jspecify.annotations.NullMarked
package dev.baton.build;
