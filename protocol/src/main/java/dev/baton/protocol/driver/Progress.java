package dev.baton.protocol.driver;

import org.jspecify.annotations.Nullable;

/**
 * How far a launched run is.
 *
 * @param state where it stands
 * @param cause of a failure
 */
public record Progress(State state, @Nullable String cause) {
    public static final Progress RUNNING = new Progress(State.RUNNING, null);
    public static final Progress ENDED = new Progress(State.ENDED, null);

    /** The device reports that the run's work failed. */
    public static Progress failed(String cause) {
        return new Progress(State.FAILED, cause);
    }

    public enum State {
        RUNNING,
        ENDED,
        FAILED
    }
}
