package dev.baton.protocol;

import java.util.Objects;

/**
 * Why a lane accepts and launches nothing more: the first run that ended unproven, and its cause.
 *
 * @param by the run of the first cause
 * @param reason how that run failed
 * @param message for a person
 */
public record Poison(Holder by, FailureReason reason, String message) {
    public Poison {
        Objects.requireNonNull(by, "by");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(message, "message");
    }
}
