package dev.baton.testkit.runtime;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.function.Supplier;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import scala.Function0;
import scala.concurrent.BlockContext;
import scala.concurrent.CanAwait;

/** Making Pekko systems whose every thread is the runtime's. */
final class Systems {
    static final Config BASE = ConfigFactory.parseString("""
            pekko {
              loglevel = "OFF"
              stdout-loglevel = "OFF"
              use-slf4j = off
              loggers = []
              log-dead-letters = off
              log-dead-letters-during-shutdown = off
              jvm-shutdown-hooks = off
              coordinated-shutdown.run-by-jvm-shutdown-hook = off
              coordinated-shutdown.run-by-actor-system-terminate = off
              coordinated-shutdown.terminate-actor-system = off
              scheduler.implementation = "dev.baton.testkit.runtime.VirtualScheduler"
              actor {
                default-dispatcher { type = Dispatcher, executor = "default-executor", throughput = 1, throughput-deadline-time = 0ms }
                internal-dispatcher { type = Dispatcher, executor = "default-executor", throughput = 1, throughput-deadline-time = 0ms }
                default-blocking-io-dispatcher { type = Dispatcher, executor = "default-executor", throughput = 1 }
              }
              stream.materializer.dispatcher = "pekko.actor.default-dispatcher"
              stream.materializer.blocking-io-dispatcher = "pekko.actor.default-dispatcher"
            }
            """);

    private Systems() {}

    static <T> ActorSystem<T> create(DeterministicRuntime runtime, Behavior<T> guardian, String name, Config config) {
        return pumping(
                runtime,
                () -> ActorSystem.create(
                        guardian,
                        name,
                        ActorSystemSetup.create(BootstrapSetup.create(config).withDefaultExecutionContext(runtime))));
    }

    /** Runs code in which Pekko waits for its own futures: such a wait runs the system instead. */
    @SuppressWarnings("unchecked")
    static <T> T pumping(DeterministicRuntime runtime, Supplier<T> code) {
        BlockContext pump = new BlockContext() {
            @Override
            public <A> A blockOn(Function0<A> thunk, CanAwait permission) {
                runtime.runUntilIdle();
                return thunk.apply();
            }
        };
        return (T) BlockContext.withBlockContext(pump, new scala.runtime.AbstractFunction0<Object>() {
            @Override
            public Object apply() {
                return code.get();
            }
        });
    }
}
