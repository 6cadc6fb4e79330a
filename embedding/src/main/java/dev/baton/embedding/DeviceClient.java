package dev.baton.embedding;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceCommand.When;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.Lease;
import dev.baton.protocol.LocalCommand;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.RunTarget;
import dev.baton.protocol.Scalar;
import dev.baton.protocol.build.HostBuild;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * A device as an object: the commands of {@link DeviceCommand}, with the same names, as {@link CompletionStage} methods. Any thread
 * may call them; none blocks. What one thread sends through one client first is decided first, with no need to wait in between.
 *
 * <p>A stage fails with {@link RefusedException}, {@link OperationFailedException} or, for results of runs,
 * {@link RunFailedException}. Giving up on a stage changes nothing for the command (N10), except that an allocation whose stage was
 * cancelled or timed out (on {@link CompletionStage#toCompletableFuture} itself) is given back when it comes.
 *
 * <p>Actions that were done before a call happen-before the run, copy or build that it asks for; what the device did happens-before
 * the completion of its stage.
 */
public final class DeviceClient {
    private final String name;
    private final ActorRef<DeviceCommand> door;
    private final ActorRef<Desk.Message> desk;
    private final Outstanding outstanding;
    private final EventTaps taps;

    DeviceClient(
            String name,
            ActorRef<DeviceCommand> door,
            ActorRef<Desk.Message> desk,
            Outstanding outstanding,
            EventTaps taps) {
        this.name = name;
        this.door = door;
        this.desk = desk;
        this.outstanding = outstanding;
        this.taps = taps;
    }

    public String name() {
        return name;
    }

    /** The door, for actors that speak the typed messages. */
    public ActorRef<DeviceCommand> door() {
        return door;
    }

    // ---- runs

    /** Runs a callable ({@link DeviceCommand.Submit}). */
    public Submission submit(RunRequest request) {
        Submission.Waiting waiting = new Submission.Waiting();
        send(to -> new DeviceCommand.Submit(request, to.narrow()), new Outstanding.Call() {
            @Override
            public boolean hear(Object answer) {
                return waiting.hear((RunReply) answer);
            }

            @Override
            public void fail(RuntimeException cause) {
                waiting.accepted.completeExceptionally(cause);
                waiting.result.completeExceptionally(cause);
            }
        });
        return new Submission(waiting.accepted, waiting.result);
    }

    public CompletionStage<Reply.Activated> activate(RunTarget run) {
        return ask(Reply.Activated.class, to -> new DeviceCommand.Activate(run, to.narrow()));
    }

    public CompletionStage<Reply.Abandoned> abandon(RunTarget run) {
        return ask(Reply.Abandoned.class, to -> new DeviceCommand.Abandon(run, to.narrow()));
    }

    public CompletionStage<Reply.Leased> leaseSlot(int slot) {
        return ask(Reply.Leased.class, to -> new DeviceCommand.LeaseSlot(slot, to.narrow()));
    }

    public CompletionStage<Reply.GivenBack> giveBack(Lease lease) {
        return ask(Reply.GivenBack.class, to -> new DeviceCommand.GiveBack(lease, to.narrow()));
    }

    // ---- memory

    /**
     * Allocates device memory.
     *
     * @param label the client's own name for it, shown to people
     * @param bytes size, at least 1
     */
    public CompletionStage<BufferHandle> allocate(String label, long bytes) {
        return allocated(to -> new DeviceCommand.Allocate(label, bytes, to.narrow()), buffer -> {});
    }

    /** As {@link #allocate(String, long)}; freed when idle after {@code owner} has stopped. */
    public CompletionStage<BufferHandle> allocate(String label, long bytes, ActorRef<?> owner) {
        return allocated(
                to -> new DeviceCommand.Allocate(label, bytes, to.narrow()),
                buffer -> desk.tell(new Desk.Own(owner, buffer)));
    }

    /** Hands a direct buffer over ({@link LocalCommand.Adopt}). */
    public CompletionStage<BufferHandle> adopt(String label, ByteBuffer memory) {
        return allocated(to -> new LocalCommand.Adopt(label, memory, to.narrow()), buffer -> {});
    }

    private CompletionStage<BufferHandle> allocated(
            Function<ActorRef<Object>, DeviceCommand> command, Consumer<BufferHandle> heard) {
        CompletableFuture<BufferHandle> future = new CompletableFuture<>();
        send(command, new Outstanding.Call() {
            @Override
            public boolean hear(Object answer) {
                if (!(answer instanceof Reply.Allocated a)) {
                    future.completeExceptionally(Asked.problem((Reply) answer));
                } else if (future.complete(a.buffer())) {
                    heard.accept(a.buffer());
                } else {
                    // whoever waited has given up, and knows no handle to free
                    freeWhenIdle(a.buffer());
                }
                return true;
            }

            @Override
            public void fail(RuntimeException cause) {
                future.completeExceptionally(cause);
            }
        });
        return future;
    }

    /** Frees now, or is refused with the holders (L8). */
    public CompletionStage<Reply.Released> free(BufferHandle buffer) {
        return free(buffer, When.NOW);
    }

    /** Frees when the last holder is gone with proof (L9). */
    public CompletionStage<Reply.Released> freeWhenIdle(BufferHandle buffer) {
        return free(buffer, When.LATER);
    }

    private CompletionStage<Reply.Released> free(BufferHandle buffer, When when) {
        return ask(Reply.Released.class, to -> new DeviceCommand.Free(buffer, 0, when, to.narrow()))
                .whenComplete((released, problem) -> {
                    if (released != null) {
                        desk.tell(new Desk.Disown(buffer));
                    }
                });
    }

    /** Host to device, from {@code offset} bytes on. */
    public CompletionStage<Reply.Written> write(String label, BufferHandle buffer, long offset, HostBytes data) {
        return ask(Reply.Written.class, to -> new DeviceCommand.Write(label, buffer, offset, data, to.narrow()));
    }

    /** Device to host: now, or when the bytes are produced ({@link When#LATER}). */
    public CompletionStage<HostBytes> read(String label, BufferHandle buffer, long offset, long bytes, When when) {
        return ask(Reply.Data.class, to -> new DeviceCommand.Read(label, buffer, offset, bytes, when, to.narrow()))
                .thenApply(Reply.Data::bytes);
    }

    /** Device to device; the ranges must not overlap. */
    public CompletionStage<Reply.Copied> copy(
            String label, BufferHandle from, long fromOffset, BufferHandle to, long toOffset, long bytes) {
        return ask(
                Reply.Copied.class,
                me -> new DeviceCommand.Copy(label, from, fromOffset, to, toOffset, bytes, me.narrow()));
    }

    /** Fills {@code count} elements of the value's type from {@code offset} bytes on. */
    public CompletionStage<Reply.Filled> fill(
            String label, BufferHandle buffer, long offset, long count, Scalar value) {
        return ask(Reply.Filled.class, to -> new DeviceCommand.Fill(label, buffer, offset, count, value, to.narrow()));
    }

    public CompletionStage<Reply.Revalidated> revalidate(BufferHandle buffer) {
        return ask(Reply.Revalidated.class, to -> new DeviceCommand.Revalidate(buffer, to.narrow()));
    }

    /** Everything allocated in it is freed when idle as it closes. */
    public Scope scope() {
        return new Scope(this);
    }

    // ---- callables

    /** Registers a callable whose code the driver has. */
    public CompletionStage<Reply.Registered> register(CallableSpec callable) {
        return ask(Reply.Registered.class, to -> new DeviceCommand.Register(callable, to.narrow()));
    }

    /** Registers a callable with a host build. */
    public CompletionStage<Reply.Registered> register(CallableSpec callable, HostBuild build) {
        return ask(Reply.Registered.class, to -> new LocalCommand.RegisterBuild(callable, build, to.narrow()));
    }

    public CompletionStage<Reply.Unregistered> unregister(String callable) {
        return ask(Reply.Unregistered.class, to -> new DeviceCommand.Unregister(callable, to.narrow()));
    }

    /** Begins a chain of runs that starts from what {@code first} holds: {@code count} elements of {@code type}. */
    public Chain chain(BufferHandle first, DataType type, long count) {
        return new Chain(this, first, type, count);
    }

    // ---- the device

    public CompletionStage<Reply.Drained> drain() {
        return ask(Reply.Drained.class, to -> new DeviceCommand.Drain(to.narrow()));
    }

    public CompletionStage<Reply.Closed> close() {
        return ask(Reply.Closed.class, to -> new DeviceCommand.Close(to.narrow()));
    }

    public CompletionStage<Reply.ResetDone> reset() {
        return ask(Reply.ResetDone.class, to -> new DeviceCommand.Reset(to.narrow()));
    }

    public CompletionStage<DeviceStatus> status() {
        CompletableFuture<DeviceStatus> future = new CompletableFuture<>();
        send(to -> new DeviceCommand.GetStatus(to.narrow()), new Outstanding.Call() {
            @Override
            public boolean hear(Object answer) {
                future.complete((DeviceStatus) answer);
                return true;
            }

            @Override
            public void fail(RuntimeException cause) {
                future.completeExceptionally(cause);
            }
        });
        return future;
    }

    /**
     * Hears every event from now on, one at a time, until the tap is closed. {@code listener} runs on a thread of the actor system:
     * it must be quick and must not block.
     */
    public CompletionStage<EventTap> subscribe(Consumer<DeviceEvent> listener) {
        EventTap tap = taps.open(door, listener);
        return ask(Reply.Subscribed.class, to -> new DeviceCommand.Subscribe(tap.hears(), to.narrow()))
                .whenComplete((subscribed, problem) -> {
                    if (problem != null) {
                        tap.close();
                    }
                })
                .thenApply(subscribed -> tap);
    }

    private <R extends Reply> CompletionStage<R> ask(
            Class<R> wanted, Function<ActorRef<Object>, DeviceCommand> command) {
        Asked<R> asked = new Asked<>(wanted);
        send(command, asked);
        return asked.future();
    }

    private void send(Function<ActorRef<Object>, DeviceCommand> command, Outstanding.Call call) {
        outstanding.add(call);
        desk.tell(new Desk.Send(command, call));
    }
}
