package dev.baton.testkit.scenario;

import dev.baton.context.ContextMessage;
import dev.baton.context.Decorator;
import dev.baton.context.DoorMessage;
import dev.baton.context.SlotMessage;
import dev.baton.lane.Lane;
import dev.baton.ledger.LedgerView;
import dev.baton.protocol.DeviceStatus;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** Stands behind a device's actors: writes down their messages, looks at what they know, and makes them throw. */
final class Backstage implements Decorator {
    /** A message at which an actor throws, for itself or for a part of it. */
    private record Crash(String name) {}

    private static final Set<String> PARTS = Set.of("ledger", "lane");
    private static final String SLOT = "slot-";

    private final Decorator inner;
    private final Correspondence correspondence;
    private final Map<String, ActorRef<?>> actors = new HashMap<>();
    /** Slots that are parts of the context and heard something after the actor of the same name did. */
    private final Set<String> inside = new HashSet<>();
    /** Of these, one that is to throw at the next thing that it hears. */
    private @Nullable String doomed;
    /** Windows of the door, and of the newest epoch's actors; there before any command can be sent. */
    private @Nullable Function<DoorMessage.StatusParts, DeviceStatus> doorWindow;

    private @Nullable Supplier<LedgerView> ledgerWindow;
    private @Nullable Supplier<List<Lane.RunView>> laneWindow;

    /** @param inner wraps each actor first */
    Backstage(Decorator inner, Correspondence correspondence) {
        this.inner = inner;
        this.correspondence = correspondence;
    }

    @Override
    public <T> Behavior<T> decorate(String actor, Behavior<T> behavior) {
        Behavior<Object> open = Behaviors.intercept(() -> new Interceptor<T>(actor), inner.decorate(actor, behavior));
        return open.narrow();
    }

    @Override
    public void ledger(Supplier<LedgerView> view) {
        ledgerWindow = view;
    }

    @Override
    public void lane(Supplier<List<Lane.RunView>> view) {
        laneWindow = view;
    }

    @Override
    public void door(Function<DoorMessage.StatusParts, DeviceStatus> status) {
        doorWindow = status;
    }

    /** What the device would answer to a question for its status, without asking: at rest nothing changes meanwhile. */
    DeviceStatus look() {
        Function<DoorMessage.StatusParts, DeviceStatus> byDoor = Objects.requireNonNull(doorWindow, "no door yet");
        Supplier<LedgerView> byLedger = Objects.requireNonNull(ledgerWindow, "no ledger yet");
        Supplier<List<Lane.RunView>> byLane = Objects.requireNonNull(laneWindow, "no lane yet");
        return byDoor.apply(new DoorMessage.StatusParts(0, 0, byLedger.get(), byLane.get()));
    }

    @Override
    public void hears(String part, Object message) {
        correspondence.got(part, message);
        inside.add(part);
        if (part.equals(doomed)) {
            doomed = null;
            throw new IllegalStateException("crash of " + part);
        }
        inner.hears(part, message);
    }

    /** The newest actor of that name, or the one that it is a part of. */
    ActorRef<?> actor(String name) {
        ActorRef<?> ref = actors.get(inside.contains(name) || PARTS.contains(name) ? "context" : name);
        if (ref == null) {
            throw new IllegalArgumentException("no actor '" + name + "'; there are " + actors.keySet());
        }
        return ref;
    }

    /** Makes an actor, or a part of one, throw as soon as it hears of it. */
    void crash(String name) {
        ActorRef<Object> to = actor(name).unsafeUpcast();
        to.tell(new Crash(name));
    }

    /** What an actor gets in place of its crash; an inline slot's is at the next thing that the slot hears, for it is not the actor. */
    private Object doom(String actor, String name) {
        if (actor.equals(name) || PARTS.contains(name)) {
            throw new IllegalStateException("crash of " + name);
        }
        doomed = name;
        int slot = Integer.parseInt(name.substring(SLOT.length()));
        return new ContextMessage.ToSlot(slot, new SlotMessage.AskNow(-1));
    }

    private final class Interceptor<T> extends BehaviorInterceptor<Object, T> {
        private final String actor;
        /** What the actor was after its last message. */
        private @Nullable Behavior<T> last;

        Interceptor(String actor) {
            super(Object.class);
            this.actor = actor;
        }

        @Override
        public Behavior<T> aroundStart(TypedActorContext<Object> ctx, PreStartTarget<T> target) {
            actors.put(actor, ctx.asJava().getSelf());
            return target.start(ctx);
        }

        @Override
        @SuppressWarnings("unchecked")
        public Behavior<T> aroundReceive(TypedActorContext<Object> ctx, Object message, ReceiveTarget<T> target) {
            correspondence.got(actor, message);
            inside.remove(actor);
            Object heard = message instanceof Crash c ? doom(actor, c.name()) : message;
            Behavior<T> next = target.apply(ctx, (T) heard);
            if (next == last) {
                return Behaviors.same(); // or Pekko would wrap it anew for every message
            }
            last = next;
            return next;
        }
    }
}
