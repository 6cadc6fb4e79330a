package dev.baton.testkit.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.LocalCommand;
import dev.baton.protocol.Reply;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** Steps that bring memory: allocated, adopted, or from elsewhere; with content it is written at once. */
final class Allocations {
    private static final int F32 = 4;

    private final World world;
    private final Stage stage;
    private final Answers answers;
    private final @Nullable ReferenceModel model;

    Allocations(World world, Stage stage, Answers answers, @Nullable ReferenceModel model) {
        this.world = world;
        this.stage = stage;
        this.answers = answers;
        this.model = model;
    }

    /** Makes what the step needs to be sent, the sending itself left to the caller. */
    Runnable allocate(Scenario.Step s, String name, World.Pending p) {
        JsonNode n = s.node();
        ReferenceModel m = model;
        float[] content = n.has("f32") ? Requests.floats(n.get("f32")) : null;
        long bytes =
                content != null ? (long) content.length * F32 : n.path("bytes").asLong(0);
        if (n.path("foreign").asBoolean()) {
            return () -> foreign(name, bytes, content, p);
        }
        AtomicReference<Reply.@Nullable Allocated> allocated = new AtomicReference<>();
        ActorRef<Reply.WriteReply> written = stage.recorder(r -> {
            if (!(r instanceof Reply.Written)) {
                p.reply = r;
            } else {
                p.reply = allocated.get();
            }
        });
        ActorRef<Reply.AllocateReply> to = answers.once(s, r -> {
            if (r instanceof Reply.Allocated a) {
                world.buffers.put(name, new World.Buffer(a.buffer(), a.address(), bytes));
                allocated.set(a);
                if (m != null) {
                    m.allocated(s, name, bytes, p);
                }
                if (content != null && !n.path("host").asBoolean()) {
                    stage.door()
                            .tell(new DeviceCommand.Write(
                                    name + "-content", a.buffer(), 0, HostBytes.ofFloats(content), written));
                    return;
                }
            }
            p.reply = r;
        });
        if (n.path("host").asBoolean()) {
            ByteBuffer memory = ByteBuffer.allocateDirect((int) bytes);
            if (content != null) {
                memory.put(HostBytes.ofFloats(content).view()).flip();
            }
            return () -> stage.door().tell(new LocalCommand.Adopt(name, memory, to));
        }
        return () -> stage.door().tell(new DeviceCommand.Allocate(name, bytes, to));
    }

    private void foreign(String name, long bytes, float @Nullable [] content, World.Pending p) {
        try {
            long address = stage.control().allocateForeign(bytes);
            world.buffers.put(name, new World.Buffer(null, address, bytes));
            if (content != null) {
                HostMemory from = HostMemory.allocate(bytes);
                from.put(0, HostBytes.ofFloats(content).view());
                stage.device().write(name, address, from, 0, bytes);
            }
            p.reply = new Reply.Allocated(new BufferHandle("elsewhere", 0, 0), address, bytes);
        } catch (DriverException e) {
            throw new ScenarioError("foreign memory: " + e.getMessage());
        }
    }
}
