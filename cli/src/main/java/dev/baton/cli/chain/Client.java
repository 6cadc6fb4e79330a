package dev.baton.cli.chain;

import com.typesafe.config.ConfigFactory;
import dev.baton.cli.UserError;
import dev.baton.context.DeviceSettings;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunName;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.driver.Driver;
import dev.baton.protocol.driver.DriverException;
import dev.baton.runtime.ThreadRuntime;
import dev.baton.supervision.Devices;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A device in a system of its own, for a caller that may wait; what goes wrong is a {@link UserError}. */
final class Client implements AutoCloseable {
    /** Longest wait for an answer that needs no run to end. */
    static final Duration ANSWER = Duration.ofSeconds(30);

    private final ActorSystem<Void> system;
    private final ActorRef<DeviceCommand> door;
    private final BlockingQueue<RunReply> runs = new LinkedBlockingQueue<>();
    private final ActorRef<RunReply> results;

    /** Opens it. The runtime must live longer than the client: the system's end closes the device, on threads of it. */
    Client(String device, Driver driver, DeviceSettings settings, ThreadRuntime runtime) {
        system = ActorSystem.create(
                Behaviors.empty(),
                "baton",
                ConfigFactory.parseString("pekko { loglevel = WARNING, use-slf4j = off, jvm-shutdown-hooks = off }")
                        .withFallback(ConfigFactory.load()));
        try {
            door = Devices.open(system, device, driver, runtime, settings);
        } catch (DriverException e) {
            end();
            throw new UserError("the device can't be opened: " + e.getMessage());
        }
        results = actor("results", runs::add);
    }

    /** An actor that hears one kind of message. */
    <T> ActorRef<T> actor(String name, Consumer<T> heard) {
        return system.systemActorOf(
                Behaviors.<T>receiveMessage(m -> {
                    heard.accept(m);
                    return Behaviors.same();
                }),
                name,
                Props.empty());
    }

    /** Asks, and goes on. */
    <T extends Reply> CompletionStage<T> asked(Function<ActorRef<T>, DeviceCommand> command) {
        return AskPattern.ask(door, command::apply, ANSWER, system.scheduler());
    }

    /** Waits for an answer, whatever it is. */
    static <T extends Reply> T answer(CompletionStage<T> asked) {
        try {
            return asked.toCompletableFuture().get(ANSWER.toSeconds() + 1, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new UserError("the device did not answer: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserError("interrupted");
        }
    }

    /** Asks, and waits for the answer, which must be a good one. */
    <T extends Reply> T ask(Function<ActorRef<T>, DeviceCommand> command) {
        T reply = answer(asked(command));
        if (reply instanceof Reply.Refused refused) {
            throw new UserError(refused.refusal().message());
        } else if (reply instanceof Reply.Failed failed) {
            throw new UserError(failed.message());
        }
        return reply;
    }

    /** Allocates device memory, and writes it. */
    BufferHandle allocate(String name, HostBytes content) {
        BufferHandle buffer = allocate(name, content.size());
        this.<Reply.WriteReply>ask(to -> new DeviceCommand.Write("write of " + name, buffer, 0, content, to));
        return buffer;
    }

    /** Allocates device memory. */
    BufferHandle allocate(String name, long bytes) {
        Reply.AllocateReply reply = ask(to -> new DeviceCommand.Allocate(name, bytes, to));
        return ((Reply.Allocated) reply).buffer();
    }

    HostBytes read(String label, BufferHandle buffer, long bytes) {
        Reply.ReadReply reply = ask(to -> new DeviceCommand.Read(label, buffer, 0, bytes, DeviceCommand.When.NOW, to));
        return ((Reply.Data) reply).bytes();
    }

    void submit(RunRequest request) {
        door.tell(new DeviceCommand.Submit(request, results));
    }

    /** Lets a held run go on; whoever waits for runs hears if it can't. */
    void activate(String run) {
        door.tell(new DeviceCommand.Activate(new RunName(run), system.ignoreRef()));
    }

    /** Waits until so many runs have completed. */
    void collect(int count, Duration limit) throws InterruptedException {
        collect(count, limit, done -> {}, f -> {
            RunFailure failure = Objects.requireNonNull(f.failure());
            return "run " + f.name() + " failed " + failure.reason() + ": " + failure.message();
        });
    }

    /**
     * Waits until so many runs have completed.
     *
     * @param limit longest wait for the next answer
     * @param progress hears how many have completed
     * @param told the sentence about a run that failed
     */
    void collect(int count, Duration limit, IntConsumer progress, Function<RunReply.Finished, String> told)
            throws InterruptedException {
        for (int done = 0; done < count; ) {
            RunReply r = runs.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
            if (r == null) {
                throw new UserError("no answer within " + limit + "; " + done + " runs had ended");
            } else if (r instanceof RunReply.Rejected rejected) {
                throw new UserError(rejected.refusal().message());
            } else if (r instanceof RunReply.Finished f) {
                if (f.failure() != null) {
                    throw new UserError(told.apply(f));
                }
                progress.accept(++done);
            }
        }
    }

    private void end() {
        system.terminate();
        system.getWhenTerminated().toCompletableFuture().join();
    }

    @Override
    public void close() {
        end();
    }
}
