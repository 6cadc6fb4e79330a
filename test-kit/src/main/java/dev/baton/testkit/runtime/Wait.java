package dev.baton.testkit.runtime;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread that stands in a wait: for a condition (code that blocks), or for rest (a test, or Pekko waiting for a future of its
 * own). Touched only by the thread that has the turn.
 */
final class Wait extends Due {
    final Seat seat;
    final String label;
    final boolean forRest;

    /** What ends the wait; a wait for rest ends also without it. */
    final BooleanSupplier condition;

    /** Called at rest; true if the wait goes on. */
    final @Nullable Supplier<Boolean> atRest;

    /** For a wait for rest: time moves on so far while nothing else can go on. */
    long untilNanos;

    /** The wait that the thread stood in before. */
    @Nullable
    Wait outer;

    /** What the wait throws instead of returning. */
    @Nullable
    Throwable failure;

    /** Whether the condition held when the wait ended. */
    boolean held;

    /** Code that blocks waits for a condition, at most until {@code limitNanos}. */
    Wait(Seat seat, String label, long seq, BooleanSupplier condition, long limitNanos) {
        super(limitNanos, seq);
        this.seat = seat;
        this.label = label;
        this.forRest = false;
        this.condition = condition;
        this.atRest = null;
    }

    /** A wait for rest, or for a condition that is asked before every step. */
    Wait(Seat seat, long seq, BooleanSupplier condition, long untilNanos, @Nullable Supplier<Boolean> atRest) {
        super(VirtualClock.NEVER, seq);
        this.seat = seat;
        this.label = "rest";
        this.forRest = true;
        this.condition = condition;
        this.atRest = atRest;
        this.untilNanos = untilNanos;
    }

    /** Whether a wait for a condition can go on. */
    boolean able(long absoluteNanos) {
        if (seat.innermost != this) {
            return false;
        }
        if (failure != null) {
            return true;
        }
        try {
            held = condition.getAsBoolean();
        } catch (RuntimeException | Error e) {
            failure = e;
            return true;
        }
        return held || atNanos <= absoluteNanos;
    }

    /** The limit has passed: {@link #able} sees it. */
    @Override
    void fire() {}
}
