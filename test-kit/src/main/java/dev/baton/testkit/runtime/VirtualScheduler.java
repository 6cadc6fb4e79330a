package dev.baton.testkit.runtime;

import com.typesafe.config.Config;
import java.util.concurrent.ThreadFactory;
import org.apache.pekko.actor.AbstractScheduler;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.event.LoggingAdapter;
import scala.concurrent.ExecutionContext;
import scala.concurrent.duration.FiniteDuration;

/** Pekko's scheduler on virtual time; made by Pekko by reflection, it finds its runtime by the id in the configuration. */
public final class VirtualScheduler extends AbstractScheduler {
    private final DeterministicRuntime runtime;

    public VirtualScheduler(Config config, LoggingAdapter log, ThreadFactory threads) {
        this.runtime = DeterministicRuntime.byId(config.getString(DeterministicRuntime.ID_PATH));
    }

    @Override
    public Cancellable schedule(
            FiniteDuration initialDelay, FiniteDuration interval, Runnable body, ExecutionContext executor) {
        return handle(runtime.timer(initialDelay.toNanos(), Math.max(1, interval.toNanos()), body, executor));
    }

    @Override
    public Cancellable scheduleOnce(FiniteDuration delay, Runnable body, ExecutionContext executor) {
        return handle(runtime.timer(delay.toNanos(), 0, body, executor));
    }

    private static Cancellable handle(VirtualTimers.Handle handle) {
        return new Cancellable() {
            @Override
            public boolean cancel() {
                if (handle.over) {
                    return false;
                }
                handle.over = true;
                handle.cancelled = true;
                return true;
            }

            @Override
            public boolean isCancelled() {
                return handle.cancelled;
            }
        };
    }

    @Override
    public double maxFrequency() {
        return 1000.0;
    }
}
