package dev.baton.protocol;

import dev.baton.protocol.build.HostBuild;
import java.nio.ByteBuffer;
import org.apache.pekko.actor.typed.ActorRef;

/** Commands that carry code or memory of this process: local only, never serialized. */
public sealed interface LocalCommand extends DeviceCommand {

    /**
     * Registers a callable with a host build.
     *
     * @param callable name, kernel and signature
     * @param build composes the run's tasks while it is prepared
     */
    record RegisterBuild(CallableSpec callable, HostBuild build, ActorRef<Reply.RegisterReply> replyTo)
            implements LocalCommand {}

    /**
     * Hands host memory over: it is recorded in the ledger and follows the same rules as an allocation (B1).
     *
     * @param name the client's own name
     * @param memory a direct buffer; the caller must not touch its remaining bytes until it is freed
     */
    record Adopt(String name, ByteBuffer memory, ActorRef<Reply.AllocateReply> replyTo) implements LocalCommand {}
}
