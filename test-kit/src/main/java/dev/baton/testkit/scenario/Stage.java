package dev.baton.testkit.scenario;

import dev.baton.context.ContextMessage;
import dev.baton.context.Decorator;
import dev.baton.context.DeviceSettings;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.Reply;
import dev.baton.protocol.driver.CallAborted;
import dev.baton.sim.SimControl;
import dev.baton.sim.SimDevice;
import dev.baton.sim.SimDriver;
import dev.baton.sim.SimSettings;
import dev.baton.supervision.DeviceSupervisor;
import dev.baton.testkit.runtime.DeterministicRuntime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** One device under the deterministic runtime, with its actors within reach: what a scenario or a program is played on. */
public final class Stage implements AutoCloseable {
    /** Spawns a stage's actors; a child of the system's guardian, one for each program. */
    private record Spawn(Behavior<?> behavior, String name, DispatcherSelector dispatcher, Consumer<ActorRef<?>> to) {}

    /** So many recorders are spawned at once: each coming to rest costs time. */
    private static final int RECORDERS = 16;

    private static final AtomicLong EPOCHS = new AtomicLong(1);

    private final @Nullable Recorders shared;
    private final DeterministicRuntime runtime;
    private final SimDevice device;
    private final ActorRef<Object> theatre;
    private final ActorRef<Object> own;
    private final ActorRef<DeviceCommand> door;
    private final Deque<Recorders.Pooled> pool = new ArrayDeque<>();
    private final Correspondence correspondence = new Correspondence();
    private final Backstage backstage;
    private int names;
    /** The guardian of a system in which stages are set up one after another. */
    public static Behavior<Object> theatre() {
        return Behaviors.setup(ctx -> Behaviors.receiveMessage(m -> {
            if (m instanceof Spawn s) {
                spawn(ctx, s);
            } else if (m instanceof ActorRef<?> child) {
                ctx.stop(child);
            }
            return Behaviors.same();
        }));
    }

    @SuppressWarnings("unchecked")
    private static void spawn(ActorContext<Object> ctx, Spawn s) {
        s.to().accept(ctx.spawn((Behavior<Object>) s.behavior(), s.name(), s.dispatcher()));
    }

    /**
     * Opens a device.
     *
     * @param program a name no other stage of the system has
     */
    public Stage(
            DeterministicRuntime runtime,
            ActorRef<Object> theatre,
            String program,
            SimSettings sim,
            DeviceSettings settings) {
        this(runtime, theatre, program, sim, settings, Decorator.NONE, null);
    }

    /**
     * Opens a device whose core actors are wrapped besides.
     *
     * @param shared recorders that outlive the stage; null to spawn them all
     */
    Stage(
            DeterministicRuntime runtime,
            ActorRef<Object> theatre,
            String program,
            SimSettings sim,
            DeviceSettings settings,
            Decorator inner,
            @Nullable Recorders shared) {
        this.backstage = new Backstage(inner, correspondence);
        this.shared = shared;
        this.runtime = runtime;
        this.theatre = theatre;
        this.device = new SimDriver(sim).open(runtime);
        ActorRef<?>[] made = new ActorRef<?>[1];
        theatre.tell(new Spawn(
                theatre(), program, DispatcherSelector.fromConfig("baton.device-dispatcher"), r -> made[0] = r));
        runtime.runUntilIdle();
        this.own = cast(made[0]);
        this.door = spawn(
                backstage.decorate(
                        "door",
                        DeviceSupervisor.create("dev", device, runtime, settings, EPOCHS::getAndIncrement, backstage)),
                "door");
    }

    @SuppressWarnings("unchecked")
    private static <T> ActorRef<T> cast(ActorRef<?> ref) {
        return (ActorRef<T>) ref;
    }

    /** Spawns an actor of the test's own beside the device. */
    public <T> ActorRef<T> spawn(Behavior<T> behavior, String name) {
        ActorRef<?>[] made = new ActorRef<?>[1];
        own.tell(new Spawn(behavior, name, DispatcherSelector.fromConfig("baton.device-dispatcher"), r -> made[0] = r));
        runtime.runUntilIdle();
        return cast(made[0]);
    }

    /** An actor that hears one kind of message. */
    public <T> ActorRef<T> recorder(Consumer<T> heard) {
        return recordingAll(m -> {
            correspondence.got("client", m);
            heard.accept(m);
        });
    }

    private <T> ActorRef<T> recordingAll(Consumer<T> heard) {
        Recorders.Pooled free = shared == null ? null : shared.next();
        if (free != null) {
            return free.use(heard);
        }
        if (pool.isEmpty()) {
            for (int i = 0; i < RECORDERS; i++) {
                pool.add(pooled(own, "r" + ++names));
            }
            runtime.runUntilIdle();
        }
        return pool.remove().use(heard);
    }

    /** Spawns a recorder; it is there at the next rest. */
    static Recorders.Pooled pooled(ActorRef<Object> theatre, String name) {
        Recorders.Pooled p = new Recorders.Pooled();
        theatre.tell(new Spawn(
                p.behavior(), name, DispatcherSelector.fromConfig("baton.device-dispatcher"), r -> p.ref = r));
        return p;
    }

    /** An actor that runs what it hears. */
    ActorRef<Runnable> client() {
        return recordingAll(Runnable::run);
    }

    /** The last messages of the device's actors and its clients. */
    Correspondence correspondence() {
        return correspondence;
    }

    /** What the device would answer to a question for its status, without asking: at rest nothing changes meanwhile. */
    public DeviceStatus look() {
        return backstage.look();
    }

    /** The device's door. */
    public ActorRef<DeviceCommand> door() {
        return door;
    }

    /** The hand on the simulated device. */
    public SimControl control() {
        return device.control();
    }

    /** The device behind the door. */
    public SimDevice device() {
        return device;
    }

    /** The runtime that it runs on. */
    public DeterministicRuntime runtime() {
        return runtime;
    }

    /** Wants all events. */
    public void watch(Consumer<DeviceEvent> heard) {
        ActorRef<DeviceEvent> events = recorder(heard);
        ActorRef<Reply.SubscribeReply> ignore = recorder(r -> {});
        door.tell(new DeviceCommand.Subscribe(events, ignore));
        runtime.runUntilIdle();
    }

    /** Makes the next declarations fail. */
    public void failDeclarations(int times) {
        ActorRef<Object> to = cast(door);
        to.tell(new DeviceSupervisor.TestHook(new ContextMessage.FailDeclarations(times)));
    }

    /** Makes a core actor throw; if its thread stands in a call, a wait or a build, that throws at once. */
    public void crash(String actor) {
        ActorRef<?> ref = backstage.actor(actor);
        String path = ref.path().toStringWithoutAddress();
        if (!runtime.injectFailure(path::endsWith, () -> new CallAborted("crash of " + actor))) {
            backstage.crash(actor);
        }
    }

    /** Ends the device and all that stands in its calls. */
    @Override
    public void close() {
        device.control().releaseAll();
        device.reset();
        theatre.tell(own);
        if (shared != null) {
            shared.forget();
        }
        runtime.runUntilIdle();
        // what still stands waits for time or for an answer of a door that is gone
        while (runtime.injectFailure(label -> true, () -> new CallAborted("the stage is over"))) {
            runtime.runUntilIdle();
        }
    }

    /** Settings for a device under a deterministic runtime. */
    public static DeviceSettings settings(int depth, int queue) {
        return DeviceSettings.defaults().withDepth(depth).withQueue(queue).withWaitStep(Duration.ofSeconds(10));
    }
}
