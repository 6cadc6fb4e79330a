package dev.baton.testkit.runtime;

import com.typesafe.config.Config;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.dispatch.ExecutorServiceConfigurator;
import org.apache.pekko.dispatch.ExecutorServiceFactory;

/**
 * The executor of dispatchers whose actors may block: {@code executor = "<this class>"}. Their steps run on threads of the runtime
 * that can be set aside.
 */
public final class BlockingExecutorConfigurator extends ExecutorServiceConfigurator {
    private final DeterministicRuntime runtime;

    public BlockingExecutorConfigurator(Config config, DispatcherPrerequisites prerequisites) {
        super(config, prerequisites);
        this.runtime =
                DeterministicRuntime.byId(prerequisites.settings().config().getString(DeterministicRuntime.ID_PATH));
    }

    @Override
    public ExecutorServiceFactory createExecutorServiceFactory(String id, ThreadFactory threadFactory) {
        return new ExecutorServiceFactory() {
            @Override
            public ExecutorService createExecutorService() {
                return new Forward();
            }
        };
    }

    private final class Forward extends AbstractExecutorService {
        private volatile boolean down;

        @Override
        public void execute(Runnable body) {
            runtime.enqueue(body, true);
        }

        @Override
        public void shutdown() {
            down = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            down = true;
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return down;
        }

        @Override
        public boolean isTerminated() {
            return down;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return down;
        }
    }
}
