package dev.baton.context;

import dev.baton.ledger.IoCall;
import dev.baton.protocol.DeviceCommand;
import org.apache.pekko.actor.typed.ActorRef;

/** What the context of an epoch hears. */
public sealed interface ContextMessage {
    /** A client's command, in arrival order at the door. */
    record Command(long token, DeviceCommand command) implements ContextMessage {}

    /** A memory call of the ledger. */
    record Io(long call, IoCall what) implements ContextMessage {}

    /** The I/O thread's answer. */
    record IoDone(long call, IoCall.Result result) implements ContextMessage {}

    /** A memory call has not returned within its limit. */
    record IoLimit(long call) implements ContextMessage {}

    record SlotDied(int slot, String why) implements ContextMessage {}

    record SlotReplaced(int slot, SlotRefs refs) implements ContextMessage {}

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

    /** The two actors of one slot: one on a thread of its own, one on the device's thread for calls that never block. */
    record SlotRefs(ActorRef<SlotMessage> pinned, ActorRef<SlotMessage> inline) {}
}
