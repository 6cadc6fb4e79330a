/**
 * A deterministic runtime for any Pekko Typed system: one step at a time, seeded choice, virtual time, and a strict hand-off for
 * code that blocks. It knows nothing of Baton but the interface by which drivers and builds wait.
 *
 * <p>The rooms: {@link dev.baton.testkit.runtime.DeterministicRuntime} is what a test holds; {@code StepLoop} chooses and runs;
 * {@code Turn}, {@code Seat}, {@code Worker} and {@code Crew} see to it that one thread runs at a time; {@code VirtualClock} holds
 * what waits for time; {@code Labels} and {@code Trace} make two runs of one seed comparable; {@code Systems}, {@code
 * VirtualScheduler} and {@code BlockingExecutorConfigurator} are where Pekko is connected.
 */
@org.jspecify.annotations.NullMarked
package dev.baton.testkit.runtime;
