package dev.baton.context;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.Reply;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * Asks devices on behalf of builds that wait on threads of their own (B9): an actor can hear the answer, a build's thread can only
 * wait for it. Each answer goes into a cell of its own.
 */
public final class BuildDesk {
    private BuildDesk() {}

    public sealed interface Command {}

    /**
     * Ask, and put the answer into the cell.
     *
     * @param device whom, or null for the desk's own device
     */
    record Ask<T>(
            @Nullable ActorRef<DeviceCommand> device,
            Class<T> answer,
            Function<ActorRef<T>, DeviceCommand> command,
            AtomicReference<@Nullable T> cell,
            Runnable signal)
            implements Command {}

    /** Free what an aborted attempt allocated (B10); nobody waits for the answer. */
    record Release(@Nullable ActorRef<DeviceCommand> device, BufferHandle buffer) implements Command {}

    public static Behavior<Command> create(ActorRef<DeviceCommand> own) {
        return Behaviors.setup(ctx -> Behaviors.receiveMessage(m -> {
            if (m instanceof Ask<?> ask) {
                ask(ask, own, ctx.spawnAnonymous(listener(ask)));
            } else if (m instanceof Release release) {
                ActorRef<DeviceCommand> to = release.device() == null ? own : release.device();
                ActorRef<Reply.FreeReply> ignore = ctx.getSystem().ignoreRef();
                to.tell(new DeviceCommand.Free(release.buffer(), 0, DeviceCommand.When.LATER, ignore));
            }
            return Behaviors.same();
        }));
    }

    private static <T> Behavior<T> listener(Ask<T> ask) {
        return Behaviors.receiveMessage(answer -> {
            ask.cell().set(answer);
            ask.signal().run();
            return Behaviors.stopped();
        });
    }

    @SuppressWarnings("unchecked") // the listener was made for this very ask
    private static <T> void ask(Ask<T> ask, ActorRef<DeviceCommand> own, ActorRef<?> listener) {
        ActorRef<DeviceCommand> to = ask.device() == null ? own : ask.device();
        to.tell(ask.command().apply((ActorRef<T>) listener));
    }
}
