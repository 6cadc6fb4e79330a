package dev.baton.embedding;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.baton.context.DeviceSettings;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.driver.Driver;
import dev.baton.protocol.driver.DriverException;
import dev.baton.runtime.ThreadRuntime;
import dev.baton.supervision.Devices;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * The way in for hosts: opens devices. A host without Pekko of its own calls {@link #start}, one with an actor system
 * {@link #in}.
 *
 * <pre>{@code
 * try (Baton baton = Baton.start()) {
 *     DeviceClient gpu = baton.open("gpu", driver);
 *     ...
 * } // every device is closed, within the limit of coordinated shutdown
 * }</pre>
 */
public final class Baton implements AutoCloseable {
    private final ActorSystem<?> system;
    private final boolean own;
    private final ThreadRuntime runtime = new ThreadRuntime();
    private final ConcurrentHashMap<String, DeviceClient> devices = new ConcurrentHashMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    private Baton(ActorSystem<?> system, boolean own) {
        this.system = system;
        this.own = own;
        // the runtime's threads close devices while the system shuts down: it ends last
        system.getWhenTerminated().whenComplete((done, problem) -> runtime.close());
    }

    /** With an actor system of its own, from the host's {@code application.conf}. */
    public static Baton start() {
        return start(ConfigFactory.load());
    }

    /** With an actor system of its own and these settings. */
    public static Baton start(Config config) {
        return new Baton(ActorSystem.create(Behaviors.empty(), "baton", config), true);
    }

    /** The one in a host's actor system; it ends with the system. */
    public static Baton in(ActorSystem<?> system) {
        return BatonExtension.get(system).baton();
    }

    static Baton of(ActorSystem<?> system) {
        return new Baton(system, false);
    }

    public ActorSystem<?> system() {
        return system;
    }

    /** As {@link #open(String, Driver, DeviceSettings)}, with the settings under {@code baton.device} of the configuration. */
    public DeviceClient open(String name, Driver driver) throws DriverException {
        return open(name, driver, DeviceSettings.of(system.settings().config().getConfig("baton.device")));
    }

    /**
     * Opens a device. Blocks for as long as the driver's open does.
     *
     * @param name unique among the devices of the actor system: letters, digits and hyphens
     * @throws DriverException if the driver can't open the device
     * @throws IllegalArgumentException if its capabilities are invalid or don't fit the settings, or the name is taken
     */
    public DeviceClient open(String name, Driver driver, DeviceSettings settings) throws DriverException {
        if (devices.containsKey(name)) {
            throw new IllegalArgumentException("a device named '" + name + "' is open already; choose another name");
        }
        ActorRef<DeviceCommand> door = Devices.open(system, name, driver, runtime, settings);
        Outstanding outstanding = new Outstanding(name);
        ActorRef<Desk.Message> desk =
                system.systemActorOf(Desk.create(door, outstanding), "baton-desk-" + name, Props.empty());
        DeviceClient client = new DeviceClient(name, door, desk, outstanding, new EventTaps(system));
        devices.put(name, client);
        return client;
    }

    /** A device that was opened here. */
    public Optional<DeviceClient> device(String name) {
        return Optional.ofNullable(devices.get(name));
    }

    /** Names of the devices opened here, sorted. */
    public Set<String> devices() {
        return new TreeSet<>(devices.keySet());
    }

    /**
     * Ends an actor system of its own, which closes every device first (F3), and waits for that; in a host's system it closes the
     * devices and waits. Closing again does nothing.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        if (own) {
            system.terminate();
            system.getWhenTerminated().toCompletableFuture().join();
            return;
        }
        for (DeviceClient device : devices.values()) {
            try {
                device.close().toCompletableFuture().join();
            } catch (CompletionException e) {
                system.log().warn("device {} could not be closed: {}", device.name(), String.valueOf(e.getCause()));
            }
        }
    }
}
