package dev.baton.benchmarks;

import com.typesafe.config.ConfigFactory;
import dev.baton.context.DeviceSettings;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import dev.baton.protocol.driver.Driver;
import dev.baton.protocol.driver.DriverException;
import dev.baton.runtime.ThreadRuntime;
import dev.baton.supervision.Devices;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.japi.function.Function;

/** An actor system with devices, as a host has it. */
final class Host implements AutoCloseable {
    static final int LENGTH = 16;
    static final Duration LIMIT = Duration.ofMinutes(2);

    private final ThreadRuntime runtime = new ThreadRuntime();
    private final AtomicLong names = new AtomicLong();
    private final ActorSystem<Void> system = ActorSystem.create(
            Behaviors.empty(),
            "bench",
            ConfigFactory.parseString("pekko { loglevel = OFF, use-slf4j = off, jvm-shutdown-hooks = off }")
                    .withFallback(ConfigFactory.load()));

    ActorRef<DeviceCommand> open(Driver driver, DeviceSettings settings) throws DriverException {
        ActorRef<DeviceCommand> door =
                Devices.open(system, "bench-" + names.incrementAndGet(), driver, runtime, settings);
        this.<Reply.RegisterReply>ask(
                door,
                to -> new DeviceCommand.Register(
                        new CallableSpec("add", "add_const", Signature.of(Role.IN, Role.OUT, Role.SCALAR)), to));
        this.<Reply.RegisterReply>ask(
                door,
                to -> new DeviceCommand.Register(
                        new CallableSpec("three", "add", Signature.of(Role.IN, Role.IN, Role.OUT)), to));
        return door;
    }

    BufferHandle allocate(ActorRef<DeviceCommand> door, String name, long bytes) {
        Reply r = this.<Reply.AllocateReply>ask(door, to -> new DeviceCommand.Allocate(name, bytes, to));
        if (r instanceof Reply.Allocated a) {
            return a.buffer();
        }
        throw new IllegalStateException("allocate " + name + ": " + r);
    }

    /** A run with three device arguments. */
    static RunRequest three(BufferHandle a, BufferHandle b, BufferHandle c) {
        return RunRequest.of("three")
                .tensor(a.tensor(DataType.F32, LENGTH))
                .tensor(b.tensor(DataType.F32, LENGTH))
                .tensor(c.tensor(DataType.F32, LENGTH))
                .build();
    }

    <T> ActorRef<T> spawn(Behavior<T> behavior) {
        return system.systemActorOf(behavior, "client-" + names.incrementAndGet(), Props.empty());
    }

    <R> R ask(ActorRef<DeviceCommand> door, Function<ActorRef<R>, DeviceCommand> command) {
        return got(AskPattern.<DeviceCommand, R>ask(door, command, LIMIT, system.scheduler())
                .toCompletableFuture());
    }

    ActorSystem<Void> system() {
        return system;
    }

    static <T> T got(CompletableFuture<T> future) {
        try {
            return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("no answer: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** The system ends first: its shutdown closes the devices, on threads of the runtime. */
    @Override
    public void close() {
        system.terminate();
        got(system.getWhenTerminated().toCompletableFuture());
        runtime.close();
    }
}
