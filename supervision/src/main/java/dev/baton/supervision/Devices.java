package dev.baton.supervision;

import com.typesafe.config.Config;
import dev.baton.context.Decorator;
import dev.baton.context.DeviceSettings;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.Reply;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.Driver;
import dev.baton.protocol.driver.DriverException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.dispatch.DispatcherConfigurator;
import org.apache.pekko.dispatch.Dispatchers;

/** Opens devices in a host's actor system; each gets one thread for its door, context, ledger and lane. */
public final class Devices {
    private static final String TEMPLATE = "baton.device-dispatcher";

    /** Epochs are unique across restarts of the process: the clock at start, then counted. */
    private static final AtomicLong EPOCHS = new AtomicLong(System.currentTimeMillis() << 20);

    private static final String NOT_CLOSED =
            "device={} had not closed waitedMs={} when the host shut down: a run or a driver call still"
                    + " stands, so nothing of it was released. Set baton.device.close-timeout below the shutdown phase's limit to end with a"
                    + " report instead";

    private Devices() {}

    /**
     * Opens a device and spawns its door. Blocks for as long as the driver's open does.
     *
     * @param system the host's actor system
     * @param name the device's name, unique in the system: letters, digits and hyphens
     * @param runtime threads and clock of the driver, usually a {@link dev.baton.runtime.ThreadRuntime}
     * @return the door, the actor that clients hold
     * @throws DriverException if the driver can't open the device
     * @throws IllegalArgumentException if its capabilities are invalid, or don't fit the settings
     */
    public static ActorRef<DeviceCommand> open(
            ActorSystem<?> system, String name, Driver driver, DeviceRuntime runtime, DeviceSettings settings)
            throws DriverException {
        Device device = driver.open(runtime);
        String dispatcher = dispatcher(system, name);
        LongSupplier epochs = EPOCHS::incrementAndGet;
        ActorRef<DeviceCommand> door = system.systemActorOf(
                DeviceSupervisor.create(
                        name,
                        device,
                        runtime,
                        settings.withDispatchers(dispatcher, settings.blockingDispatcher()),
                        epochs,
                        Decorator.NONE),
                "baton-" + name,
                Props.empty().withNext(DispatcherSelector.fromConfig(dispatcher)));
        closeWithTheHost(system, name, door);
        return door;
    }

    /** F3: the host's coordinated shutdown closes the device, within the time limit of that phase. */
    private static void closeWithTheHost(ActorSystem<?> system, String name, ActorRef<DeviceCommand> door) {
        CoordinatedShutdown shutdown = CoordinatedShutdown.get(system);
        String phase = CoordinatedShutdown.PhaseBeforeActorSystemTerminate();
        // less than the phase's own, so that there is time to say what happened
        Duration limit = Duration.ofMillis(shutdown.timeout(phase).toMillis() * 9 / 10);
        shutdown.addTask(
                phase,
                "close-baton-" + name,
                () -> AskPattern.<DeviceCommand, Reply.CloseReply>ask(
                                door, DeviceCommand.Close::new, limit, system.scheduler())
                        .handle((reply, late) -> {
                            if (late != null) {
                                system.log().warn(NOT_CLOSED, name, limit.toMillis());
                            }
                            return Done.getInstance();
                        }));
    }

    private static String dispatcher(ActorSystem<?> system, String name) {
        Dispatchers dispatchers = Adapter.toClassic(system).dispatchers();
        String id = TEMPLATE + "-" + name;
        if (!dispatchers.hasDispatcher(id)) {
            Config template = system.settings().config().getConfig(TEMPLATE);
            Config own = com.typesafe.config.ConfigFactory.parseMap(java.util.Map.of("id", id))
                    .withFallback(template)
                    .withFallback(system.settings().config().getConfig("pekko.actor.default-dispatcher"));
            dispatchers.registerConfigurator(id, new DispatcherConfigurator(own, dispatchers.prerequisites()));
        }
        return id;
    }
}
