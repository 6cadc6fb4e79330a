package dev.baton.build;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.Reply;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** What a build may ask devices for; each call waits for its answer through the runtime (B9). Null means its own device. */
public interface BuildServices {
    Reply.AllocateReply allocate(@Nullable ActorRef<DeviceCommand> device, String name, long bytes);

    Reply.FreeReply free(@Nullable ActorRef<DeviceCommand> device, BufferHandle buffer, long offset);

    /** An address of nobody, to make commands with that are only looked at. */
    ActorRef<Object> nobody();

    DeviceStatus status(@Nullable ActorRef<DeviceCommand> device);
}
