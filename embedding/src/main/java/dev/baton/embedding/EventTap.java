package dev.baton.embedding;

import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceEvent;
import org.apache.pekko.actor.typed.ActorRef;

/** A listener of a device's events; closing it ends the subscription. */
public final class EventTap implements AutoCloseable {
    private final ActorRef<DeviceCommand> door;
    private final ActorRef<DeviceEvent> hears;
    private final Runnable stop;

    EventTap(ActorRef<DeviceCommand> door, ActorRef<DeviceEvent> hears, Runnable stop) {
        this.door = door;
        this.hears = hears;
        this.stop = stop;
    }

    ActorRef<DeviceEvent> hears() {
        return hears;
    }

    /** Events that are on their way are no longer heard. */
    @Override
    public void close() {
        door.tell(new DeviceCommand.Unsubscribe(hears));
        stop.run();
    }
}
