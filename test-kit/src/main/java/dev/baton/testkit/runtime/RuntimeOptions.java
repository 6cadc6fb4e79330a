package dev.baton.testkit.runtime;

import java.time.Duration;

/**
 * How a deterministic runtime chooses.
 *
 * @param earlyTimers probability at each step that the next timer fires although work is ready; 0 for never
 * @param horizon how far ahead a timer may be to fire early
 * @param recordTrace whether every label is kept, or only the last ones and a hash
 */
public record RuntimeOptions(double earlyTimers, Duration horizon, boolean recordTrace) {
    /** Timers only when time is advanced; no full trace. */
    public static final RuntimeOptions DEFAULT = new RuntimeOptions(0, Duration.ofMillis(50), false);

    /** The same with timers that may fire early. */
    public RuntimeOptions withEarlyTimers(double probability) {
        return new RuntimeOptions(probability, horizon, recordTrace);
    }

    /** The same with a full trace. */
    public RuntimeOptions withTrace() {
        return new RuntimeOptions(earlyTimers, horizon, true);
    }
}
