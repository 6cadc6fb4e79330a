package dev.baton.testkit.runtime;

import com.typesafe.config.Config;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.apache.pekko.actor.AbstractScheduler;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.Scheduler;
import org.apache.pekko.event.LoggingAdapter;
import scala.concurrent.ExecutionContext;
import scala.concurrent.duration.FiniteDuration;

/**
 * Pekko's scheduler on virtual time. Pekko makes it by reflection (setting {@code pekko.scheduler.implementation}); it finds its
 * runtime by the id in the configuration.
 */
public final class VirtualScheduler extends AbstractScheduler implements Closeable {
    /** What actors are told: timers are exact here, so as often as they like, within reason. */
    private static final double MAX_FREQUENCY_HZ = 1000;

    private final StepExecutor steps;
    private final List<Timer> atClose = new ArrayList<>();

    /** Called by Pekko. */
    public VirtualScheduler(Config config, LoggingAdapter log, ThreadFactory threads) {
        this.steps = StepExecutor.of(config);
    }

    @Override
    public Cancellable schedule(
            FiniteDuration initialDelay, FiniteDuration interval, Runnable body, ExecutionContext executor) {
        return start(initialDelay, Math.max(1, interval.toNanos()), body, executor);
    }

    @Override
    public Cancellable scheduleOnce(FiniteDuration delay, Runnable body, ExecutionContext executor) {
        return start(delay, 0, body, executor);
    }

    private Cancellable start(FiniteDuration delay, long intervalNanos, Runnable body, ExecutionContext executor) {
        if (body instanceof Scheduler.TaskRunOnClose) {
            return atClose(body, executor);
        }
        Timer timer = new Timer(this, steps, intervalNanos, body, executor);
        steps.onTurn("sets a timer", () -> timer.start(delay.toNanos()));
        return timer;
    }

    /**
     * A dispatcher without actors shuts down after a while. That is left to the end of the system: else one program's last actor would
     * leave a timer to the next program.
     */
    private Cancellable atClose(Runnable body, ExecutionContext executor) {
        Timer timer = new Timer(this, steps, 0, body, executor);
        steps.onTurn("ends a dispatcher", () -> atClose.add(timer));
        return timer;
    }

    /** The system has ended. */
    @Override
    public void close() {
        steps.onTurn("ends a system", () -> {
            steps.clock().removeTimers(this).forEach(Timer::cancel);
            for (Timer timer : atClose) {
                if (timer.cancel()) {
                    timer.run();
                }
            }
            atClose.clear();
        });
    }

    @Override
    public double maxFrequency() {
        return MAX_FREQUENCY_HZ;
    }
}
