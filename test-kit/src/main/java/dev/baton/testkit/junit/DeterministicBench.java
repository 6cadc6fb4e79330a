package dev.baton.testkit.junit;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.baton.context.DeviceSettings;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.sim.SimControl;
import dev.baton.sim.SimDevice;
import dev.baton.sim.SimSettings;
import dev.baton.testkit.runtime.DeterministicRuntime;
import dev.baton.testkit.runtime.RuntimeOptions;
import dev.baton.testkit.scenario.Stage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;

/** A device under a deterministic runtime of its own. */
final class DeterministicBench implements Bench {
    /** So many recorders are spawned at once: asking for one must not let anything else happen. */
    private static final int RECORDERS = 32;

    private static final Config DISPATCHERS = ConfigFactory.parseString("""
            baton {
              device-dispatcher { type = Dispatcher, executor = "default-executor", throughput = 1, throughput-deadline-time = 0ms }
              blocking-dispatcher {
                type = Dispatcher
                executor = "dev.baton.testkit.runtime.BlockingExecutorConfigurator"
                throughput = 1
                throughput-deadline-time = 0ms
              }
            }
            """);

    /** A spawned actor that hears for whoever gets it. */
    private static final class Recorder {
        private final ActorRef<Object> ref;
        private volatile Consumer<Object> heard = m -> {};

        Recorder(Stage stage) {
            ref = stage.recorder(m -> heard.accept(m));
        }
    }

    private final Thread main = Thread.currentThread();
    private final DeterministicRuntime runtime;
    private final ActorSystem<Object> system;
    private final Stage stage;
    private final Deque<Recorder> spare = new ArrayDeque<>();

    DeterministicBench(long seed, SimSettings sim, DeviceSettings settings) {
        runtime = new DeterministicRuntime(seed, RuntimeOptions.DEFAULT);
        system = runtime.system(Stage.theatre(), "test", DISPATCHERS);
        runtime.newProgram(seed, "/user/program", RuntimeOptions.DEFAULT.earlyTimers() > 0);
        stage = new Stage(runtime, system, "program", sim, settings.withWaitStep(Duration.ofSeconds(10)));
        spawnRecorders();
    }

    private void spawnRecorders() {
        for (int i = 0; i < RECORDERS; i++) {
            spare.add(new Recorder(stage));
        }
    }

    /** The device behind the door. */
    SimDevice device() {
        return stage.device();
    }

    @Override
    public ActorRef<DeviceCommand> door() {
        return stage.door();
    }

    @Override
    public SimControl control() {
        return stage.control();
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> ActorRef<T> recorder(Consumer<T> heard) {
        if (spare.isEmpty()) {
            spawnRecorders();
        }
        Recorder r = spare.remove();
        r.heard = m -> heard.accept((T) m);
        return r.ref.unsafeUpcast();
    }

    @Override
    public boolean await(BooleanSupplier condition) {
        if (Thread.currentThread() != main) {
            return runtime.await(condition, Long.MAX_VALUE);
        }
        if (!condition.getAsBoolean()) {
            runtime.runUntilIdle();
        }
        return condition.getAsBoolean();
    }

    @Override
    public void rest() {
        runtime.runUntilIdle();
    }

    @Override
    public void advance(Duration by) {
        runtime.advance(by);
    }

    @Override
    public void crash(String actor) {
        stage.crash(actor);
    }

    @Override
    public DeviceRuntime runtime() {
        return runtime;
    }

    @Override
    public void letOthers() {
        if (Thread.currentThread() != main) {
            AtomicBoolean turn = new AtomicBoolean();
            runtime.executor().execute(() -> turn.set(true));
            runtime.await(turn::get, Long.MAX_VALUE);
        }
    }

    @Override
    public List<String> finish() {
        List<String> problems = new ArrayList<>();
        try {
            runtime.runUntilIdle();
            problems.addAll(stage.control().violations());
            runtime.failures().forEach(f -> problems.add("a step threw " + f));
            runtime.foreignThreads().forEach(t -> problems.add("a thread unknown to the runtime took part: " + t));
            stage.close();
            runtime.terminate(system);
        } finally {
            runtime.close();
        }
        return problems;
    }

    @Override
    public String trail() {
        return "last steps: " + runtime.trace();
    }
}
