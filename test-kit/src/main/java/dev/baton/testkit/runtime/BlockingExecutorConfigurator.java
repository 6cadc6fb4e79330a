package dev.baton.testkit.runtime;

import com.typesafe.config.Config;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.dispatch.ExecutorServiceConfigurator;
import org.apache.pekko.dispatch.ExecutorServiceFactory;

/**
 * The executor of dispatchers whose actors may block, in place of pinned threads and pools of the system under test:
 *
 * <pre>{@code
 * my-blocking-dispatcher {
 *   type = Dispatcher
 *   executor = "dev.baton.testkit.runtime.BlockingExecutorConfigurator"
 *   throughput = 1
 *   pinned = on // as PinnedDispatcher: one thread for an actor's life; else any, which costs fewer hand-offs
 * }
 * }</pre>
 *
 * Steps of such a dispatcher may call {@link DeterministicRuntime#await}. Pekko makes this by reflection; it finds its runtime by the
 * id in the system's configuration.
 */
public final class BlockingExecutorConfigurator extends ExecutorServiceConfigurator {
    private static final String PINNED = "pinned";

    private final StepExecutor steps;
    private final Step.Place place;

    /** Called by Pekko. */
    public BlockingExecutorConfigurator(Config config, DispatcherPrerequisites prerequisites) {
        super(config, prerequisites);
        this.steps = StepExecutor.of(prerequisites.settings().config());
        this.place = config.hasPath(PINNED) && config.getBoolean(PINNED) ? Step.Place.OWN_WORKER : Step.Place.WORKER;
    }

    @Override
    public ExecutorServiceFactory createExecutorServiceFactory(String id, ThreadFactory threadFactory) {
        return () -> new Forward(steps, place);
    }

    /** Everything becomes a step that may block. */
    private static final class Forward extends AbstractExecutorService {
        private final StepExecutor steps;
        private final Step.Place place;
        private volatile boolean down;

        Forward(StepExecutor steps, Step.Place place) {
            this.steps = steps;
            this.place = place;
        }

        @Override
        public void execute(Runnable body) {
            steps.execute(body, place);
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
