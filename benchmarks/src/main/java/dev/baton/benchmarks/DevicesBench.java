package dev.baton.benchmarks;

import dev.baton.context.DeviceSettings;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;

/** Runs a second over many devices of one system, against one device. */
final class DevicesBench implements Bench {
    private static final int OUTSTANDING = 64;

    @Override
    public List<String> names() {
        return List.of("devices-8", "devices-64");
    }

    @Override
    public List<Line> run(List<String> wanted, Effort effort) throws Exception {
        List<Line> lines = new ArrayList<>();
        for (String name : wanted) {
            int devices = Integer.parseInt(name.substring(name.indexOf('-') + 1));
            try (Host host = new Host()) {
                Timing.Body one = over(host, 1);
                Timing.Body many = over(host, devices);
                double[] nanos = Timing.nanosPer(effort, many, one);
                lines.add(new Line(name, 1e9 / nanos[0], "runs/s", 1e9 / nanos[1], 0.8, false));
            }
        }
        return lines;
    }

    private static Timing.Body over(Host host, int devices) throws Exception {
        List<ActorRef<Object>> pumps = new ArrayList<>();
        for (int i = 0; i < devices; i++) {
            ActorRef<DeviceCommand> door =
                    host.open(new NoOpDriver(true), DeviceSettings.defaults().withQueue(2 * OUTSTANDING));
            BufferHandle a = host.allocate(door, "a", Host.LENGTH * Float.BYTES);
            BufferHandle b = host.allocate(door, "b", Host.LENGTH * Float.BYTES);
            BufferHandle c = host.allocate(door, "c", Host.LENGTH * Float.BYTES);
            pumps.add(host.spawn(Pump.create(door, Host.three(a, b, c))));
        }
        return times -> {
            List<CompletableFuture<Long>> all = new ArrayList<>();
            for (int i = 0; i < devices; i++) {
                int share = times / devices + (i < times % devices ? 1 : 0);
                if (share > 0) {
                    CompletableFuture<Long> done = new CompletableFuture<>();
                    all.add(done);
                    pumps.get(i).tell(new Pump.Go(share, OUTSTANDING, done));
                }
            }
            long runs = 0;
            for (CompletableFuture<Long> done : all) {
                runs += Host.got(done);
            }
            return runs;
        };
    }
}
