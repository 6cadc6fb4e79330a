package dev.baton.testkit.runtime;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * How a deterministic runtime chooses and what it keeps. Immutable.
 *
 * @param chaos whether a seed chooses among what is ready; otherwise everything runs in the order in which it became ready
 * @param earlyTimers probability at each step that the next timer or limit of a wait comes although work is ready; 0 for never
 * @param horizon how far ahead in virtual time something may be to come early
 * @param recordTrace whether every label is kept, or only the last ones and a hash
 * @param choice makes the policy of each program
 * @param maxStepsToRest most steps without coming to rest; beyond it something runs in circles
 * @param stuckAfter how long, in real time, one step may run before the runtime says which thread blocks behind its back
 */
public record RuntimeOptions(
        boolean chaos,
        double earlyTimers,
        Duration horizon,
        boolean recordTrace,
        Supplier<Choice> choice,
        int maxStepsToRest,
        Duration stuckAfter) {
    /** Even odds, timers only when time is advanced, no full trace. */
    public static final RuntimeOptions DEFAULT = new RuntimeOptions(
            true, 0, Duration.ofMillis(50), false, Choice::uniform, 2_000_000, Duration.ofSeconds(60));

    /** Checks the ranges. */
    public RuntimeOptions {
        if (!(earlyTimers >= 0 && earlyTimers < 1)) {
            throw new IllegalArgumentException("earlyTimers=" + earlyTimers + ", must be from 0 to below 1");
        }
        if (horizon.isNegative() || stuckAfter.isNegative() || stuckAfter.isZero()) {
            throw new IllegalArgumentException("horizon=" + horizon + " stuckAfter=" + stuckAfter);
        }
        if (maxStepsToRest < 1) {
            throw new IllegalArgumentException("maxStepsToRest=" + maxStepsToRest + ", must be at least 1");
        }
    }

    /** The same, in the order in which things became ready. */
    public RuntimeOptions withoutChaos() {
        return new RuntimeOptions(false, earlyTimers, horizon, recordTrace, choice, maxStepsToRest, stuckAfter);
    }

    /** The same with timers that may come early; 0.02 is a good start. */
    public RuntimeOptions withEarlyTimers(double probability) {
        return new RuntimeOptions(chaos, probability, horizon, recordTrace, choice, maxStepsToRest, stuckAfter);
    }

    /** The same with another horizon for early timers. */
    public RuntimeOptions withHorizon(Duration value) {
        return new RuntimeOptions(chaos, earlyTimers, value, recordTrace, choice, maxStepsToRest, stuckAfter);
    }

    /** The same with a full trace. */
    public RuntimeOptions withTrace() {
        return new RuntimeOptions(chaos, earlyTimers, horizon, true, choice, maxStepsToRest, stuckAfter);
    }

    /** The same with another policy. */
    public RuntimeOptions withChoice(Supplier<Choice> value) {
        return new RuntimeOptions(chaos, earlyTimers, horizon, recordTrace, value, maxStepsToRest, stuckAfter);
    }

    /** The same with another bound on the steps without rest. */
    public RuntimeOptions withMaxStepsToRest(int value) {
        return new RuntimeOptions(chaos, earlyTimers, horizon, recordTrace, choice, value, stuckAfter);
    }

    /** The same with another limit, in real time, for one step. */
    public RuntimeOptions withStuckAfter(Duration value) {
        return new RuntimeOptions(chaos, earlyTimers, horizon, recordTrace, choice, maxStepsToRest, value);
    }
}
