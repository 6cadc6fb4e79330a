package dev.baton.sim;

import dev.baton.protocol.driver.Finalization;
import dev.baton.protocol.driver.RunPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Watches a simulated device, for checkers of invariants. Called outside the device's turn from the thread that did it, right
 * after it was decided, so it may ask the {@link SimControl}. Must be quick and must not
 * throw. Without an observer nothing is collected.
 */
public interface SimObserver {
    /** A preparation began. */
    default void began(RunPlan plan) {}

    /** A preparation was aborted. */
    default void aborted(RunPlan plan, boolean clean) {}

    /** A preparation ended well. */
    default void prepared(RunPlan plan) {}

    /** Launch was called. */
    default void launching(RunPlan plan) {}

    /** The device began to execute a run. */
    default void started(RunPlan plan) {}

    /**
     * The device ended executing a run.
     *
     * @param failure the run's fault, or null
     * @param touches the device memory that its tasks touched, scratch included
     */
    default void ended(RunPlan plan, @Nullable String failure, List<Touch> touches) {}

    /** Finalize was called. */
    default void finalizing(RunPlan plan) {}

    /** Finalize returns this. */
    default void finalized(RunPlan plan, Finalization outcome) {}

    /** Memory was allocated (scratch and foreign memory too). */
    default void allocated(String label, long address, long bytes) {}

    /** Memory was freed. */
    default void freed(long address, long bytes) {}

    /** A memory call, or a build's write right before launch, reads or writes device memory. */
    default void accessed(String label, boolean written, long address, long bytes) {}

    /** A reset was proven: all memory is free, all runs are gone. */
    default void reset() {}

    /** The device's caller did what it must not. */
    default void violation(String sentence) {}
}
