package dev.baton.benchmarks;

import dev.baton.context.DeviceSettings;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.RunRequest;
import dev.baton.sim.SimDriver;
import dev.baton.sim.SimSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * How busy a chain keeps its device: wall time of a chain of runs over what it would take with one preparation and kernels back to
 * back, P + N × K, in the same process.
 */
public final class ChainOccupancy {
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
        try (Host host = new Host()) {
            ActorRef<DeviceCommand> device = host.open(new SimDriver(sim), settings);
            List<BufferHandle> buffers = new ArrayList<>();
            for (int i = 0; i <= c.runs(); i++) {
                buffers.add(host.allocate(device, "b" + i, Host.LENGTH * Float.BYTES));
            }
            RunRequest[] chain = new RunRequest[c.runs()];
            for (int i = 0; i < chain.length; i++) {
                chain[i] = RunRequest.of("add")
                        .tensor(buffers.get(i).tensor(DataType.F32, Host.LENGTH))
                        .tensor(buffers.get(i + 1).tensor(DataType.F32, Host.LENGTH))
                        .scalar(1)
                        .build();
            }
            ActorRef<Object> client = host.spawn(Pump.create(device, chain));
            CompletableFuture<Long> done = new CompletableFuture<>();
            long start = System.nanoTime();
            client.tell(new Pump.Go(c.runs(), c.runs(), done));
            Host.got(done);
            return System.nanoTime() - start;
        }
    }
}
