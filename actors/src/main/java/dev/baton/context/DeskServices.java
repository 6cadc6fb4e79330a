package dev.baton.context;

import dev.baton.build.BuildServices;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.Reply;
import dev.baton.protocol.driver.DeviceRuntime;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** What a build may ask devices for: through the desk, waiting by the runtime (B9). */
final class DeskServices implements BuildServices {
    private final ActorRef<BuildDesk.Command> desk;
    private final ActorRef<Object> nobody;
    private final DeviceRuntime runtime;

    DeskServices(ActorRef<BuildDesk.Command> desk, ActorRef<Object> nobody, DeviceRuntime runtime) {
        this.desk = desk;
        this.nobody = nobody;
        this.runtime = runtime;
    }

    @Override
    public ActorRef<Object> nobody() {
        return nobody;
    }

    @Override
    public Reply.AllocateReply allocate(@Nullable ActorRef<DeviceCommand> device, String name, long bytes) {
        return ask(device, Reply.AllocateReply.class, to -> new DeviceCommand.Allocate(name, bytes, to));
    }

    @Override
    public Reply.FreeReply free(@Nullable ActorRef<DeviceCommand> device, BufferHandle buffer, long offset) {
        return ask(
                device,
                Reply.FreeReply.class,
                to -> new DeviceCommand.Free(buffer, offset, DeviceCommand.When.NOW, to));
    }

    @Override
    public DeviceStatus status(@Nullable ActorRef<DeviceCommand> device) {
        return ask(device, DeviceStatus.class, DeviceCommand.GetStatus::new);
    }

    private <T> T ask(
            @Nullable ActorRef<DeviceCommand> device, Class<T> type, Function<ActorRef<T>, DeviceCommand> command) {
        AtomicReference<@Nullable T> cell = new AtomicReference<>();
        desk.tell(new BuildDesk.Ask<>(device, type, command, cell, runtime::signal));
        runtime.await(() -> cell.get() != null, Long.MAX_VALUE);
        T answer = cell.get();
        if (answer == null) {
            throw new IllegalStateException("the wait ended without an answer");
        }
        return answer;
    }
}
