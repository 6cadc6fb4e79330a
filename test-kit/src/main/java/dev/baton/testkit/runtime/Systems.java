package dev.baton.testkit.runtime;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.jspecify.annotations.Nullable;
import scala.Function0;
import scala.concurrent.BlockContext;
import scala.concurrent.CanAwait;
import scala.runtime.AbstractFunction0;

/** Starts and ends Pekko systems whose every thread is the runtime's. For the owner, in the test's own code. */
final class Systems {
    /** Where a system's configuration says to which runtime it belongs. */
    static final String RUNTIME_ID = "baton.test-kit.deterministic-runtime";

    private static final Config BASE = ConfigFactory.parseString("""
            pekko {
              # nothing is logged: loggers are actors, and slow
              loglevel = "OFF"
              stdout-loglevel = "OFF"
              use-slf4j = off
              loggers = []
              log-dead-letters = off
              log-dead-letters-during-shutdown = off

              # the end of a system is the test's business
              jvm-shutdown-hooks = off
              jvm-exit-on-fatal-error = off
              coordinated-shutdown.run-by-jvm-shutdown-hook = off
              coordinated-shutdown.run-by-actor-system-terminate = off
              coordinated-shutdown.terminate-actor-system = off

              # every step is the runtime's, one message each
              scheduler.implementation = "dev.baton.testkit.runtime.VirtualScheduler"
              actor {
                default-dispatcher {
                  type = Dispatcher, executor = "default-executor", throughput = 1, throughput-deadline-time = 0ms
                }
                internal-dispatcher {
                  type = Dispatcher, executor = "default-executor", throughput = 1, throughput-deadline-time = 0ms
                }
                default-blocking-io-dispatcher {
                  type = Dispatcher, executor = "default-executor", throughput = 1, throughput-deadline-time = 0ms
                }
              }
              stream.materializer.dispatcher = "pekko.actor.default-dispatcher"
              stream.materializer.blocking-io-dispatcher = "pekko.actor.default-dispatcher"
            }
            """).withFallback(ConfigFactory.load());

    /** For those who set a log level: to the console. */
    private static final Config LOGGERS =
            ConfigFactory.parseString("pekko.loggers = [\"org.apache.pekko.event.Logging$DefaultLogger\"]");

    private static final Duration LONGEST_TERMINATION = Duration.ofMinutes(5);

    private final StepExecutor executor;
    private final StepLoop loop;
    private final Program program;
    private final BlockContext pump = new BlockContext() {
        @Override
        public <A> A blockOn(Function0<A> thunk, CanAwait permission) {
            loop.pump();
            return thunk.apply();
        }
    };

    Systems(StepExecutor executor, StepLoop loop, Program program) {
        this.executor = executor;
        this.loop = loop;
        this.program = program;
    }

    /** Makes a system and brings it to rest, outside the program. */
    <T> ActorSystem<T> start(Behavior<T> guardian, String name, Config extra) {
        Config own = ConfigFactory.parseMap(Map.of(RUNTIME_ID, executor.id())).withFallback(extra);
        Config config = (extra.hasPath("pekko.loglevel") ? own.withFallback(LOGGERS) : own).withFallback(BASE);
        BootstrapSetup setup = BootstrapSetup.create(config.resolve()).withDefaultExecutionContext(executor);
        return outsideProgram(() -> {
            ActorSystem<T> system = pumping(() -> ActorSystem.create(guardian, name, ActorSystemSetup.create(setup)));
            rest(Agenda.NEVER_HOLDS, 0, null);
            return system;
        });
    }

    /** Ends a system, outside the program. */
    void end(ActorSystem<?> system) {
        CompletableFuture<?> ended = system.getWhenTerminated().toCompletableFuture();
        boolean done = outsideProgram(() -> {
            pumping(() -> {
                system.terminate();
                return system;
            });
            return rest(ended::isDone, LONGEST_TERMINATION.toNanos(), null);
        });
        if (!done) {
            throw new IllegalStateException("system " + system.name() + " did not end within " + LONGEST_TERMINATION
                    + " of virtual time; waits that stand: " + loop.standing());
        }
    }

    /** Comes to rest without a choice and without a trace. */
    void settle() {
        outsideProgram(() -> rest(Agenda.NEVER_HOLDS, 0, null));
    }

    private <T> T outsideProgram(Supplier<T> code) {
        program.ordered(true);
        try {
            return code.get();
        } finally {
            program.ordered(false);
        }
    }

    /** The owner waits for rest; see {@link StepLoop#rest}. */
    boolean rest(BooleanSupplier condition, long forNanos, @Nullable Supplier<Boolean> atRest) {
        return pumping(() -> loop.ownerRests(condition, forNanos, atRest));
    }

    /** Runs code in which Pekko waits for futures of its own: such a wait pumps first. */
    @SuppressWarnings("unchecked") // withBlockContext returns what the function returns
    private <T> T pumping(Supplier<T> code) {
        return (T) BlockContext.withBlockContext(pump, new AbstractFunction0<Object>() {
            @Override
            public Object apply() {
                return code.get();
            }
        });
    }
}
