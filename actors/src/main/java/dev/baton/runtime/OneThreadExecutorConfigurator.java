package dev.baton.runtime;

import com.typesafe.config.Config;
import java.util.concurrent.ThreadFactory;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.dispatch.ExecutorServiceConfigurator;
import org.apache.pekko.dispatch.ExecutorServiceFactory;
import org.apache.pekko.dispatch.MonitorableThreadFactory;

/** Gives a dispatcher one thread that looks for more for {@code spin} before it sleeps; named in {@code reference.conf}. */
public final class OneThreadExecutorConfigurator extends ExecutorServiceConfigurator {
    private final long spinNanos;

    /** Made by Pekko from a dispatcher's settings. */
    public OneThreadExecutorConfigurator(Config config, DispatcherPrerequisites prerequisites) {
        super(config, prerequisites);
        // one core: whoever is waited for can't run meanwhile
        this.spinNanos = Runtime.getRuntime().availableProcessors() > 1
                ? config.getDuration("spin").toNanos()
                : 0;
    }

    @Override
    public ExecutorServiceFactory createExecutorServiceFactory(String id, ThreadFactory factory) {
        ThreadFactory named = factory instanceof MonitorableThreadFactory m ? m.withName(m.name() + "-" + id) : factory;
        return () -> new OneThreadExecutor(named, spinNanos);
    }
}
