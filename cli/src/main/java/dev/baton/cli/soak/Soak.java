package dev.baton.cli.soak;

import com.typesafe.config.ConfigFactory;
import dev.baton.cli.UserError;
import dev.baton.context.DeviceSettings;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.Reply;
import dev.baton.protocol.driver.DriverException;
import dev.baton.runtime.ThreadRuntime;
import dev.baton.sim.SimDriver;
import dev.baton.sim.SimSettings;
import dev.baton.supervision.Devices;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * Very many runs in rounds: good chains, every cheap kind of failure with successors that read its bytes, refused frees,
 * allocations, watchers that come and go; every so many rounds a failed free and an unproven end, whose marks and poison a
 * reset takes away. At two quiet points, one after a warm-up and one at the end, all that lives is counted.
 */
public final class Soak {
    /** Fewer would not show growth beyond the bounds. */
    public static final long LEAST_RUNS = 10_000;

    private static final String DEVICE = "soak";
    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final int ROUNDS_PER_EPOCH = 100;
    private static final int ROUNDS_PER_WATCHER = 10;
    /** Every so many watchers, one ends without a word instead of unsubscribing. */
    private static final int WATCHERS_PER_DEATH = 5;
    /** The warm-up: at least so many epochs, so that every path was taken. */
    private static final long WARM_UP_EPOCHS = 2;

    private static final String HEARD_ALL = "heard all";
    private static final String END = "end";

    private final Semaphore heardAll = new Semaphore(0);
    private final long runs;
    private final boolean blocking;
    private final Consumer<String> progress;
    private final Tally tally = new Tally();
    private final Deque<ActorRef<DeviceEvent>> watchers = new ArrayDeque<>();
    private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
    private @Nullable ActorRef<Reply> asker;
    private long names;
    private long resets;

    /** @param blocking whether driver calls may block: then each slot's are made on a thread of its own, which takes longer */
    public Soak(long runs, boolean blocking, Consumer<String> progress) {
        this.runs = runs;
        this.blocking = blocking;
        this.progress = progress;
    }

    /**
     * Runs it.
     *
     * @throws UserError if an answer is not the expected one
     */
    public SoakReport run() throws InterruptedException {
        SimDriver driver = new SimDriver(SimSettings.defaults().keepLog(false).nonBlocking(!blocking));
        // the system ends before its runtime: its shutdown closes the device, on threads of the runtime
        try (ThreadRuntime runtime = new ThreadRuntime()) {
            ActorSystem<Void> system = ActorSystem.create(
                    Behaviors.empty(),
                    "baton-soak",
                    ConfigFactory.parseString("pekko { loglevel = OFF, stdout-loglevel = OFF, log-dead-letters = off,"
                                    + " jvm-shutdown-hooks = off }")
                            .withFallback(ConfigFactory.load()));
            try {
                return run(system, driver, runtime);
            } catch (DriverException e) {
                throw new UserError("the device can't be opened: " + e.getMessage());
            } finally {
                system.terminate();
                system.getWhenTerminated().toCompletableFuture().join();
            }
        }
    }

    private SoakReport run(ActorSystem<Void> system, SimDriver driver, ThreadRuntime runtime)
            throws DriverException, InterruptedException {
        DeviceSettings settings = DeviceSettings.defaults();
        ActorRef<DeviceCommand> door = Devices.open(system, DEVICE, driver, runtime, settings);
        asker = spawn(
                system,
                Behaviors.<Reply>receiveMessage(r -> {
                    replies.add(r);
                    return Behaviors.same();
                }),
                "asker");
        Rounds rounds = new Rounds(
                door,
                driver.control(),
                tally,
                new Rounds.Spawn() {
                    @Override
                    public <T> ActorRef<T> spawn(Behavior<T> behavior, String name) {
                        return Soak.this.spawn(system, behavior, name);
                    }
                },
                c -> ask(door, c));
        rounds.register();
        long epochs = Math.max(WARM_UP_EPOCHS + 1, runs / ((long) ROUNDS_PER_EPOCH * Rounds.RUNS) + 1);
        long warmUp = Math.max(WARM_UP_EPOCHS, epochs / 10);
        LiveCounts before = LiveCounts.take();
        long[] retained = new long[2];
        int[] subscribers = new int[2];
        long started = System.nanoTime();
        long done = 0;
        for (long epoch = 0; epoch < epochs; epoch++) {
            rounds.open();
            for (int i = 0; i < ROUNDS_PER_EPOCH; i++) {
                rounds.round();
                done += Rounds.RUNS;
                if (i % ROUNDS_PER_WATCHER == 0) {
                    watcher(system, door);
                }
                if (epoch + 1 == epochs && done >= runs && i > 0) {
                    break;
                }
            }
            if (epoch + 1 == warmUp) {
                before = count(system, door);
                retained[0] = status(system, door).retained();
                subscribers[0] = subscribers(system, door, settings.subscribers());
                progress.accept("counted after " + done + " runs");
            }
            if (epoch + 1 < epochs) {
                rounds.lose();
                resets++;
                long tenth = epochs / 10;
                if (tenth > 10 && epoch % tenth == 0) {
                    progress.accept(done + " of " + runs + " runs done");
                }
            }
        }
        double seconds = (System.nanoTime() - started) / 1e9;
        LiveCounts after = count(system, door);
        retained[1] = status(system, door).retained();
        subscribers[1] = subscribers(system, door, settings.subscribers());
        return new SoakReport(before, after, tally.ends(), retained, subscribers, resets, seconds);
    }

    private static DeviceStatus status(ActorSystem<Void> system, ActorRef<DeviceCommand> door) {
        return answer(AskPattern.<DeviceCommand, DeviceStatus>ask(
                door, DeviceCommand.GetStatus::new, ANSWER, system.scheduler()));
    }

    // ---- watchers

    private ActorRef<DeviceEvent> watching(ActorSystem<Void> system) {
        return spawn(
                system,
                Behaviors.<DeviceEvent>receiveMessage(e -> {
                    if (e instanceof DeviceEvent.FreeRefused f && f.name().equals(HEARD_ALL)) {
                        heardAll.release();
                    }
                    return e instanceof DeviceEvent.FreeRefused f && f.name().equals(END)
                            ? Behaviors.stopped()
                            : Behaviors.same();
                }),
                "watcher");
    }

    /** One comes, and one that was there goes. */
    private void watcher(ActorSystem<Void> system, ActorRef<DeviceCommand> door) {
        ActorRef<DeviceEvent> fresh = watching(system);
        subscribe(door, fresh);
        ActorRef<DeviceEvent> old = watchers.poll();
        watchers.add(fresh);
        if (old != null) {
            if (names % WATCHERS_PER_DEATH != 0) {
                door.tell(new DeviceCommand.Unsubscribe(old));
            }
            end(old);
        }
    }

    private boolean subscribe(ActorRef<DeviceCommand> door, ActorRef<DeviceEvent> who) {
        return ask(door, to -> new DeviceCommand.Subscribe(who, to.narrow())) instanceof Reply.Subscribed;
    }

    private static void end(ActorRef<DeviceEvent> watcher) {
        say(watcher, END);
    }

    /** Waits until the watchers have heard all events so far: what waits in their mailboxes is not kept by the core. */
    private LiveCounts count(ActorSystem<Void> system, ActorRef<DeviceCommand> door) throws InterruptedException {
        status(system, door);
        watchers.forEach(w -> say(w, HEARD_ALL));
        if (!heardAll.tryAcquire(watchers.size(), ANSWER.toSeconds(), TimeUnit.SECONDS)) {
            throw new UserError("the watchers have not heard all events within " + ANSWER);
        }
        return LiveCounts.take();
    }

    private static void say(ActorRef<DeviceEvent> watcher, String word) {
        watcher.tell(new DeviceEvent.FreeRefused(
                new dev.baton.protocol.BufferHandle(DEVICE, 1, 1),
                word,
                dev.baton.protocol.Refusal.of(dev.baton.protocol.RefusalCode.BUSY, "end")));
    }

    /** How many watch now: the bound less those that still find room. */
    private int subscribers(ActorSystem<Void> system, ActorRef<DeviceCommand> door, int bound) {
        List<ActorRef<DeviceEvent>> room = new ArrayList<>();
        ActorRef<DeviceEvent> next = watching(system);
        while (room.size() <= bound && subscribe(door, next)) {
            room.add(next);
            next = watching(system);
        }
        end(next);
        for (ActorRef<DeviceEvent> w : room) {
            door.tell(new DeviceCommand.Unsubscribe(w));
            end(w);
        }
        return bound - room.size();
    }

    // ---- asking

    private <T> ActorRef<T> spawn(ActorSystem<Void> system, Behavior<T> behavior, String name) {
        return system.systemActorOf(behavior, name + "-" + ++names, Props.empty());
    }

    /** By an actor that stays: the timer of each ask pattern would be kept for as long as its limit. */
    private Reply ask(ActorRef<DeviceCommand> door, Function<ActorRef<Reply>, DeviceCommand> command) {
        ActorRef<Reply> to = asker;
        if (to == null) {
            throw new IllegalStateException("nobody hears answers yet");
        }
        door.tell(command.apply(to));
        try {
            Reply reply = replies.poll(ANSWER.toSeconds(), TimeUnit.SECONDS);
            if (reply == null) {
                throw new UserError("the device did not answer within " + ANSWER);
            }
            return reply;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserError("interrupted");
        }
    }

    private static <T> T answer(java.util.concurrent.CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(ANSWER.toSeconds() + 1, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new UserError("the device did not answer: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserError("interrupted");
        }
    }
}
