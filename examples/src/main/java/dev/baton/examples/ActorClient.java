package dev.baton.examples;

import dev.baton.context.DeviceSettings;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import dev.baton.runtime.ThreadRuntime;
import dev.baton.sim.SimDriver;
import dev.baton.sim.SimSettings;
import dev.baton.supervision.Devices;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** With typed messages: an actor that chains two runs on a device and hears their results. */
public final class ActorClient {
    private ActorClient() {}

    /** Adds 1, then 1 again, to {@code input} on a simulated device; completes with what came out. */
    public static CompletableFuture<float[]> addTwice(float... input) {
        CompletableFuture<float[]> result = new CompletableFuture<>();
        ActorSystem<Object> system = ActorSystem.create(client(result, input), "host");
        return result.whenComplete((values, failure) -> system.terminate());
    }

    static Behavior<Object> client(CompletableFuture<float[]> result, float... input) {
        return Behaviors.setup(ctx -> {
            ActorRef<DeviceCommand> device = Devices.open(
                    ctx.getSystem(),
                    "gpu",
                    new SimDriver(SimSettings.defaults()),
                    new ThreadRuntime(),
                    DeviceSettings.defaults());
            ActorRef<Object> me = ctx.getSelf();
            Signature signature = Signature.of(Role.IN, Role.OUT, Role.SCALAR);
            device.tell(new DeviceCommand.Register(new CallableSpec("add", "add_const", signature), me.narrow()));
            for (String name : List.of("x", "y", "z")) {
                device.tell(new DeviceCommand.Allocate(name, input.length * 4L, me.narrow()));
            }
            List<Reply.Allocated> buffers = new ArrayList<>();
            return Behaviors.receive(Object.class)
                    .onMessage(Reply.Allocated.class, a -> {
                        buffers.add(a);
                        if (buffers.size() == 3) {
                            device.tell(new DeviceCommand.Write(
                                    "input", buffers.get(0).buffer(), 0, HostBytes.ofFloats(input), me.narrow()));
                            for (int i = 0; i < 2; i++) { // y never visits the host
                                device.tell(new DeviceCommand.Submit(
                                        RunRequest.of("add")
                                                .tensor(buffers.get(i).buffer().tensor(DataType.F32, input.length))
                                                .tensor(buffers.get(i + 1)
                                                        .buffer()
                                                        .tensor(DataType.F32, input.length))
                                                .scalar(1)
                                                .build(),
                                        me.narrow()));
                            }
                            device.tell(new DeviceCommand.Read( // waits until z is produced
                                    "result",
                                    buffers.get(2).buffer(),
                                    0,
                                    input.length * 4L,
                                    DeviceCommand.When.LATER,
                                    me.narrow()));
                        }
                        return Behaviors.same();
                    })
                    .onMessage(Reply.Data.class, d -> {
                        result.complete(d.bytes().toFloats());
                        return Behaviors.same();
                    })
                    .onMessage(
                            RunReply.Rejected.class,
                            r -> failed(result, r.refusal().message()))
                    .onMessage(
                            Reply.Refused.class, r -> failed(result, r.refusal().message()))
                    .onAnyMessage(other -> Behaviors.same())
                    .build();
        });
    }

    private static Behavior<Object> failed(CompletableFuture<float[]> result, String why) {
        result.completeExceptionally(new IllegalStateException(why));
        return Behaviors.same();
    }
}
