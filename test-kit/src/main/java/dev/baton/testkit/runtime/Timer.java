package dev.baton.testkit.runtime;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.Cancellable;
import org.jspecify.annotations.Nullable;
import scala.concurrent.ExecutionContext;

/** A timer of an actor system; it may be cancelled by any thread. */
final class Timer implements Cancellable {
    private enum State {
        SET,
        FIRED,
        CANCELLED
    }

    /** One time at which the timer fires. */
    private final class Shot extends Due {
        Shot(long atNanos, long seq) {
            super(atNanos, seq);
        }

        @Override
        void fire() {
            if (state.get() != State.SET) {
                return;
            }
            if (intervalNanos > 0) {
                aim(atNanos + intervalNanos);
            } else if (!state.compareAndSet(State.SET, State.FIRED)) {
                return;
            }
            run();
        }

        Timer timer() {
            return Timer.this;
        }
    }

    private final Object scheduler;
    private final StepExecutor steps;
    private final long intervalNanos;
    private final Runnable body;
    private final ExecutionContext executor;
    private final AtomicReference<State> state = new AtomicReference<>(State.SET);
    private @Nullable Shot shot;

    /**
     * A timer that is not started.
     *
     * @param intervalNanos zero if it fires once
     */
    Timer(Object scheduler, StepExecutor steps, long intervalNanos, Runnable body, ExecutionContext executor) {
        this.scheduler = scheduler;
        this.steps = steps;
        this.intervalNanos = intervalNanos;
        this.body = body;
        this.executor = executor;
    }

    /** On the thread that has the turn. */
    void start(long delayNanos) {
        VirtualClock clock = steps.clock();
        aim(clock.after(delayNanos));
        if (delayNanos <= 0 && shot != null) {
            clock.remove(shot);
            shot.fire();
        }
    }

    private void aim(long atNanos) {
        shot = new Shot(atNanos, steps.clock().nextSeq());
        steps.clock().add(shot);
    }

    void run() {
        try {
            executor.execute(body);
        } catch (RuntimeException refused) {
            steps.reportFailure(refused);
        }
    }

    static @Nullable Timer of(Due due, Object scheduler) {
        return due instanceof Shot s && s.timer().scheduler == scheduler ? s.timer() : null;
    }

    @Override
    public boolean cancel() {
        boolean cancelled = state.compareAndSet(State.SET, State.CANCELLED);
        if (cancelled) {
            steps.onTurn("cancels a timer", () -> {
                if (shot != null) {
                    steps.clock().remove(shot);
                }
            });
        }
        return cancelled;
    }

    @Override
    public boolean isCancelled() {
        return state.get() == State.CANCELLED;
    }
}
