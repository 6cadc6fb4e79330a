package dev.baton.benchmarks;

import com.typesafe.config.ConfigFactory;
import dev.baton.context.DeviceSettings;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * How busy a chain keeps its device: wall time of a chain of runs over what it would take with one preparation and kernels back to
 * back, P + N × K, in the same process.
 */
public final class ChainOccupancy {
    private static final int LENGTH = 16;
    private static final long LIMIT_SECONDS = 120;

    /**
     * One measurement.
     *
     * @param name of the line
     * @param joined whether runs are launched behind launched ones
     */
    public record Case(String name, int depth, boolean joined, int runs, long kernelNanos, long prepareNanos) {
        double idealNanos() {
            return prepareNanos + (double) runs * kernelNanos;
        }
    }

    private ChainOccupancy() {}

    /** Measures one case; gives the wall time in nanoseconds from the first submit to the last answer. */
    public static long measure(Case c) throws Exception {
        SimSettings sim = SimSettings.defaults()
                .joinedLaunch(c.joined())
                .kernelNanos(c.kernelNanos())
                .prepareNanos(c.prepareNanos())
                .keepLog(false);
        DeviceSettings settings = DeviceSettings.defaults().withDepth(c.depth()).withQueue(c.runs());
        // the system ends before its runtime: its shutdown closes the device, on threads of the runtime
        try (ThreadRuntime runtime = new ThreadRuntime()) {
            ActorSystem<Void> system = ActorSystem.create(
                    Behaviors.empty(),
                    "bench",
                    ConfigFactory.parseString("pekko.loglevel = OFF").withFallback(ConfigFactory.load()));
            try {
                ActorRef<DeviceCommand> device = Devices.open(system, "sim", new SimDriver(sim), runtime, settings);
                BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
                ActorRef<Object> client = system.systemActorOf(
                        Behaviors.receiveMessage(m -> {
                            answers.add(m);
                            return Behaviors.same();
                        }),
                        "client",
                        Props.empty());
                List<BufferHandle> buffers = new ArrayList<>();
                device.tell(new DeviceCommand.Register(
                        new CallableSpec("add", "add_const", Signature.of(Role.IN, Role.OUT, Role.SCALAR)),
                        client.narrow()));
                next(answers, Reply.Registered.class);
                for (int i = 0; i <= c.runs(); i++) {
                    device.tell(new DeviceCommand.Allocate("b" + i, LENGTH * Float.BYTES, client.narrow()));
                    buffers.add(next(answers, Reply.Allocated.class).buffer());
                }
                long start = System.nanoTime();
                for (int i = 0; i < c.runs(); i++) {
                    device.tell(new DeviceCommand.Submit(
                            RunRequest.of("add")
                                    .tensor(buffers.get(i).tensor(DataType.F32, LENGTH))
                                    .tensor(buffers.get(i + 1).tensor(DataType.F32, LENGTH))
                                    .scalar(1)
                                    .build(),
                            client.narrow()));
                }
                int done = 0;
                while (done < c.runs()) {
                    Object answer = next(answers, RunReply.class);
                    if (answer instanceof RunReply.Finished f) {
                        if (!f.completed()) {
                            throw new IllegalStateException("a run failed: " + f);
                        }
                        done++;
                    }
                }
                return System.nanoTime() - start;
            } finally {
                system.terminate();
                system.getWhenTerminated().toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    private static <T> T next(BlockingQueue<Object> answers, Class<T> kind) throws InterruptedException {
        Object answer = answers.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (!kind.isInstance(answer)) {
            throw new IllegalStateException("expected " + kind.getSimpleName() + ", got " + answer);
        }
        return kind.cast(answer);
    }
}
