/**
 * The lane of one epoch: the order of runs, each run's life cycle, and what each end means (DESIGN sections 4 and 6).
 *
 * <p>Plain and single-threaded, without Pekko; the actor shell is {@code dev.baton.context.RunLane}.
 */
@org.jspecify.annotations.NullMarked
package dev.baton.lane;
