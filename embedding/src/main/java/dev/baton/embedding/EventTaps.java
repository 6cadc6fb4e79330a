package dev.baton.embedding;

import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceEvent;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Spawns the actors that hear events for listeners. */
final class EventTaps {
    private static final AtomicLong COUNT = new AtomicLong();

    private final ActorSystem<?> system;

    EventTaps(ActorSystem<?> system) {
        this.system = system;
    }

    EventTap open(ActorRef<DeviceCommand> door, Consumer<DeviceEvent> listener) {
        AtomicBoolean open = new AtomicBoolean(true);
        ActorRef<Object> actor =
                system.systemActorOf(hearing(open, listener), "baton-events-" + COUNT.incrementAndGet(), Props.empty());
        return new EventTap(door, actor.narrow(), () -> {
            open.set(false);
            actor.tell(Stop.STOP);
        });
    }

    private enum Stop {
        STOP
    }

    private static Behavior<Object> hearing(AtomicBoolean open, Consumer<DeviceEvent> listener) {
        return Behaviors.setup(ctx -> Behaviors.receiveMessage(m -> {
            if (m == Stop.STOP) {
                return Behaviors.stopped();
            }
            if (open.get()) {
                try {
                    listener.accept((DeviceEvent) m);
                } catch (RuntimeException e) {
                    // the next event is still heard
                    ctx.getLog().error("a listener of device events threw at {}", m, e);
                }
            }
            return Behaviors.same();
        }));
    }
}
