package dev.baton.embedding;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceCommand;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/**
 * Sends a client's commands to the door in the order of its calls, with one short-lived actor for each answer, so that nobody needs
 * a time limit to wait; and frees what owners leave behind: at most the ledger's allocations, and those that others have freed.
 */
final class Desk extends AbstractBehavior<Desk.Message> {
    sealed interface Message {}

    /** One command; {@code command} gets the actor that hears the answers. */
    record Send(Function<ActorRef<Object>, DeviceCommand> command, Outstanding.Call call) implements Message {}

    /** A buffer is freed when idle after its owner has stopped. */
    record Own(ActorRef<?> owner, BufferHandle buffer) implements Message {}

    /** A buffer is freed already. */
    record Disown(BufferHandle buffer) implements Message {}

    private final ActorRef<DeviceCommand> door;
    private final Outstanding outstanding;
    private final Map<ActorRef<?>, Set<BufferHandle>> owned = new LinkedHashMap<>();
    private final Map<BufferHandle, ActorRef<?>> owners = new LinkedHashMap<>();

    private Desk(ActorContext<Message> ctx, ActorRef<DeviceCommand> door, Outstanding outstanding) {
        super(ctx);
        this.door = door;
        this.outstanding = outstanding;
    }

    static Behavior<Message> create(ActorRef<DeviceCommand> door, Outstanding outstanding) {
        return Behaviors.setup(ctx -> new Desk(ctx, door, outstanding));
    }

    @Override
    public Receive<Message> createReceive() {
        return newReceiveBuilder()
                .onMessage(Send.class, this::send)
                .onMessage(Own.class, this::own)
                .onMessage(Disown.class, m -> disown(m.buffer()))
                .onSignal(Terminated.class, t -> ownerStopped(t.getRef()))
                .onSignal(PostStop.class, s -> {
                    // the system may end much later, after a driver call that stands
                    outstanding.end();
                    return this;
                })
                .build();
    }

    private Behavior<Message> send(Send m) {
        Outstanding.Call call = m.call();
        ActorRef<Object> hears = getContext().spawnAnonymous(Behaviors.receiveMessage(answer -> {
            if (!call.hear(answer)) {
                return Behaviors.same();
            }
            outstanding.answered(call);
            return Behaviors.stopped();
        }));
        door.tell(m.command().apply(hears));
        return this;
    }

    private Behavior<Message> own(Own m) {
        if (owned.computeIfAbsent(m.owner(), o -> new LinkedHashSet<>()).add(m.buffer())) {
            owners.put(m.buffer(), m.owner());
            getContext().watch(m.owner());
        }
        return this;
    }

    private Behavior<Message> disown(BufferHandle buffer) {
        ActorRef<?> owner = owners.remove(buffer);
        Set<BufferHandle> rest = owner == null ? null : owned.get(owner);
        if (owner != null && rest != null) {
            rest.remove(buffer);
            if (rest.isEmpty()) {
                owned.remove(owner);
                getContext().unwatch(owner);
            }
        }
        return this;
    }

    private Behavior<Message> ownerStopped(ActorRef<?> owner) {
        Set<BufferHandle> left = owned.remove(owner);
        if (left != null) {
            for (BufferHandle buffer : left) {
                owners.remove(buffer);
                door.tell(new DeviceCommand.Free(
                        buffer,
                        0,
                        DeviceCommand.When.LATER,
                        getContext().getSystem().ignoreRef()));
            }
        }
        return this;
    }
}
