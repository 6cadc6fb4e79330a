package dev.baton.runtime;

import com.typesafe.config.Config;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.dispatch.Dispatcher;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.dispatch.MessageDispatcher;
import org.apache.pekko.dispatch.MessageDispatcherConfigurator;
import scala.concurrent.duration.Duration;
import scala.concurrent.duration.FiniteDuration;

/**
 * Gives each actor a dispatcher, and so a thread, of its own for its whole life, restarts included. Pekko's pinned dispatcher takes
 * no executor but its own; this one takes any, such as {@link OneThreadExecutorConfigurator}.
 */
public final class OwnThreadDispatcherConfigurator extends MessageDispatcherConfigurator {
    /** Made by Pekko from a dispatcher's settings. */
    public OwnThreadDispatcherConfigurator(Config config, DispatcherPrerequisites prerequisites) {
        super(config, prerequisites);
    }

    @Override
    public MessageDispatcher dispatcher() {
        return new Dispatcher(
                this,
                config().getString("id"),
                config().getInt("throughput"),
                finite("throughput-deadline-time"),
                configureExecutor(),
                finite("shutdown-timeout"));
    }

    private FiniteDuration finite(String path) {
        return Duration.create(config().getDuration(path, TimeUnit.NANOSECONDS), TimeUnit.NANOSECONDS);
    }
}
