package dev.baton.benchmarks;

import dev.baton.context.DeviceSettings;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.Reply;
import dev.baton.sim.SimDriver;
import dev.baton.sim.SimSettings;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/** A write and a read of 1 MiB on the simulated device, against two plain copies. */
final class CopyBench implements Bench {
    private static final int BYTES = 1 << 20;
    private static final long MEMORY = 64L << 20;

    @Override
    public List<String> names() {
        return List.of("copy-1MiB");
    }

    @Override
    public List<Line> run(List<String> wanted, Effort effort) throws Exception {
        try (Host host = new Host()) {
            ActorRef<DeviceCommand> door = host.open(
                    new SimDriver(SimSettings.defaults().memory(MEMORY).keepLog(false)), DeviceSettings.defaults());
            BufferHandle buffer = host.allocate(door, "b", BYTES);
            HostBytes data = HostBytes.copyOf(new byte[BYTES]);
            ByteBuffer from = ByteBuffer.allocateDirect(BYTES);
            ByteBuffer to = ByteBuffer.allocateDirect(BYTES);
            double[] nanos = Timing.nanosPer(
                    effort,
                    times -> {
                        long bytes = 0;
                        for (int i = 0; i < times; i++) {
                            host.<Reply.WriteReply>ask(door, me -> new DeviceCommand.Write("w", buffer, 0, data, me));
                            Reply r = host.<Reply.ReadReply>ask(
                                    door,
                                    me -> new DeviceCommand.Read("r", buffer, 0, BYTES, DeviceCommand.When.NOW, me));
                            bytes += ((Reply.Data) r).bytes().size();
                        }
                        return bytes;
                    },
                    times -> {
                        for (int i = 0; i < times; i++) {
                            to.put(0, from, 0, BYTES);
                            from.put(0, to, 0, BYTES);
                        }
                        return to.get(BYTES / 2);
                    });
            return List.of(new Line("copy-1MiB", nanos[0] / 1e3, "us", nanos[1] / 1e3, 1.3, true));
        }
    }
}
