package dev.baton.context;

import dev.baton.lane.Lane;
import dev.baton.ledger.LedgerView;
import dev.baton.protocol.DeviceStatus;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.Behavior;

/** Wraps the core actors as they are made, and listens to their parts: how a test kit watches and kills them, and sees what they know. */
public interface Decorator {
    /** Leaves every behavior as it is. */
    Decorator NONE = new Decorator() {
        @Override
        public <T> Behavior<T> decorate(String actor, Behavior<T> behavior) {
            return behavior;
        }
    };

    /**
     * Wraps one.
     *
     * @param actor context, io, or slot-N
     */
    <T> Behavior<T> decorate(String actor, Behavior<T> behavior);

    /**
     * A part of the context is about to hear a message. What this throws is as if the part had thrown it.
     *
     * @param part ledger, lane, or slot-N for the slot of a driver that never blocks
     */
    default void hears(String part, Object message) {}

    /** What a new epoch's ledger knows; to be asked between two steps of the device only. */
    default void ledger(Supplier<LedgerView> view) {}

    /** What a new epoch's lane knows; likewise. */
    default void lane(Supplier<List<Lane.RunView>> view) {}

    /** How the door makes a status of what those two know, or says that they are lost; likewise. */
    default void door(Function<DoorMessage.StatusParts, DeviceStatus> status) {}
}
