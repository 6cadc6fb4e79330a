package dev.baton.sim;

/** Where an attempt of a run stands on the simulated device. */
public enum RunState {
    /** Begun, not prepared. */
    PREPARING,
    /** Prepared, not launched. */
    PREPARED,
    /** Launched behind another. */
    QUEUED,
    /** Started and not ended. */
    EXECUTING,
    /** Ended executing, well or not. */
    ENDED,
    /** Taken off without having been executed. */
    OFF
}
