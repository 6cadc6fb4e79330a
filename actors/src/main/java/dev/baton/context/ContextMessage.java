package dev.baton.context;

import dev.baton.ledger.IoCall;
import dev.baton.protocol.DeviceCommand;
import org.apache.pekko.actor.typed.ActorRef;

/** What the context of an epoch hears. */
public sealed interface ContextMessage
        permits ContextMessage.Command,
                ContextMessage.IoDone,
                ContextMessage.IoLimit,
                ContextMessage.ToSlot,
                ContextMessage.SlotDied,
                ContextMessage.SlotReplaced,
                ContextMessage.Close,
                ContextMessage.CloseNow,
                ContextMessage.Freeze,
                ContextMessage.Watched,
                ContextMessage.FailDeclarations,
                LaneMessage {
    /** A client's command, in arrival order at the door. */
    record Command(long token, DeviceCommand command) implements ContextMessage {}

    /** The I/O thread's answer. */
    record IoDone(long call, IoCall.Result result) implements ContextMessage {}

    /** A memory call has not returned within its limit. */
    record IoLimit(long call) implements ContextMessage {}

    /** For a slot of a driver that never blocks, which is part of the context. */
    record ToSlot(int slot, SlotMessage message) implements ContextMessage {}

    /** A slot's actor died. */
    record SlotDied(int slot, String why) implements ContextMessage {}

    /** Another took its place. */
    record SlotReplaced(int slot, ActorRef<SlotMessage> actor) implements ContextMessage {}

    /** Drain towards a close. */
    enum Close implements ContextMessage {
        INSTANCE
    }

    /** The close-timeout has passed. */
    enum CloseNow implements ContextMessage {
        INSTANCE
    }

    /** A reset has begun: nothing is prepared or launched any more. */
    enum Freeze implements ContextMessage {
        INSTANCE
    }

    /** Whether anybody watches events. */
    record Watched(boolean on) implements ContextMessage {}

    /** Makes the next declarations fail, for tests of L5. */
    record FailDeclarations(int times) implements ContextMessage {}
}
