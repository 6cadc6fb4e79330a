package dev.baton.protocol;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Why a run failed.
 *
 * @param reason the row of DESIGN section 6
 * @param by the run that it depends on or that poisoned the lane, if another run is the cause
 * @param operation what failed, in lower case: build, prepare, clean-up, launch, execute, poll, finalize, deadline, …
 * @param message for a person: the first cause, what stood in the way, what to do next
 */
public record RunFailure(FailureReason reason, @Nullable Holder by, String operation, String message) {
    public RunFailure {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(operation, "operation");
        Objects.requireNonNull(message, "message");
    }
}
