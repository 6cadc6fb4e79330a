package dev.baton.testkit.junit;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.baton.context.DeviceSettings;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.DriverException;
import dev.baton.runtime.ThreadRuntime;
import dev.baton.sim.SimControl;
import dev.baton.sim.SimDriver;
import dev.baton.sim.SimSettings;
import dev.baton.supervision.Devices;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** A device in an actor system of its own, as a host opens it. */
final class ThreadBench implements Bench {
    /** No answer takes longer, but of a broken device. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final Duration POLL = Duration.ofMillis(1);

    private static final Config CONFIG = ConfigFactory.parseString("""
            pekko {
              loglevel = "OFF"
              stdout-loglevel = "OFF"
              log-dead-letters = off
              jvm-shutdown-hooks = off
              coordinated-shutdown.run-by-jvm-shutdown-hook = off
            }
            """);

    private final ThreadRuntime runtime = new ThreadRuntime();
    private final AtomicLong names = new AtomicLong();
    private final ActorSystem<Object> system;
    private final SimDriver driver;
    private final ActorRef<DeviceCommand> door;

    ThreadBench(SimSettings sim, DeviceSettings settings) throws DriverException {
        system = ActorSystem.create(Behaviors.empty(), "test", CONFIG.withFallback(ConfigFactory.load()));
        driver = new SimDriver(sim);
        door = Devices.open(system, "dev", driver, runtime, settings);
    }

    @Override
    public ActorRef<DeviceCommand> door() {
        return door;
    }

    @Override
    public SimControl control() {
        return driver.control();
    }

    @Override
    public <T> ActorRef<T> recorder(Consumer<T> heard) {
        return system.systemActorOf(
                Behaviors.<T>receiveMessage(m -> {
                    heard.accept(m);
                    runtime.signal();
                    return Behaviors.same();
                }),
                "recorder-" + names.incrementAndGet(),
                Props.empty());
    }

    @Override
    public boolean await(BooleanSupplier condition) {
        try {
            Awaitility.await()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(POLL)
                    .atMost(LIMIT)
                    .until(condition::getAsBoolean);
            return true;
        } catch (ConditionTimeoutException e) {
            return false;
        }
    }

    /** All that was sent before has been decided: its door, ledger and lane have passed a question on. */
    @Override
    public void rest() {
        AtomicBoolean answered = new AtomicBoolean();
        door.tell(new DeviceCommand.GetStatus(this.<DeviceStatus>recorder(s -> answered.set(true))));
        if (!await(answered::get)) {
            throw new AssertionError("the device does not answer");
        }
    }

    @Override
    public void advance(Duration by) {
        runtime.await(() -> false, by.toNanos());
    }

    @Override
    public void crash(String actor) {
        throw new UnsupportedOperationException(
                "crash of " + actor + ": only under the deterministic runtime; set threads = 0");
    }

    @Override
    public DeviceRuntime runtime() {
        return runtime;
    }

    @Override
    public void letOthers() {
        // they go when they like
    }

    /** Ends the system, which closes the device as a host does. */
    @Override
    public List<String> finish() {
        control().releaseAll();
        system.terminate();
        boolean ended =
                await(() -> system.getWhenTerminated().toCompletableFuture().isDone());
        runtime.close();
        return ended ? control().violations() : List.of("the actor system did not end");
    }

    @Override
    public String trail() {
        return "";
    }
}
