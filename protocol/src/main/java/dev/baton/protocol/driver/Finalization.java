package dev.baton.protocol.driver;

import org.jspecify.annotations.Nullable;

/**
 * What a finalize came to.
 *
 * @param outcome how far the device is proven to be finished with the run
 * @param cause of anything but COMPLETED
 */
public record Finalization(Outcome outcome, @Nullable String cause) {
    public static final Finalization COMPLETED = new Finalization(Outcome.COMPLETED, null);

    public static Finalization drained(String cause) {
        return new Finalization(Outcome.FAILED_BUT_DRAINED, cause);
    }

    public static Finalization unproven(String cause) {
        return new Finalization(Outcome.UNPROVEN, cause);
    }

    public enum Outcome {
        /** The device is finished with the run. */
        COMPLETED,
        /** The run's work failed; the device is finished with it. */
        FAILED_BUT_DRAINED,
        /** The device may still touch the run's memory. */
        UNPROVEN
    }
}
