package dev.baton.benchmarks;

import dev.baton.context.DeviceSettings;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Runs on a device that does nothing, against bare asks of an actor that replies. */
final class RunBench implements Bench {
    private static final int OUTSTANDING = 64;

    private record Ping(ActorRef<Ping> replyTo) {}

    @Override
    public List<String> names() {
        return List.of("run-latency", "run-latency-blocking", "run-throughput", "free-latency");
    }

    private static Behavior<Ping> echo() {
        return Behaviors.receiveMessage(p -> {
            p.replyTo().tell(p);
            return Behaviors.same();
        });
    }

    @Override
    public List<Line> run(List<String> wanted, Effort effort) throws Exception {
        List<Line> lines = new ArrayList<>();
        try (Host host = new Host()) {
            Timing.Body ask = asks(host, host.spawn(echo()), 1);
            if (wanted.contains("run-latency")) {
                lines.add(latency("run-latency", host, true, ask, 1.5, effort));
            }
            if (wanted.contains("run-latency-blocking")) {
                lines.add(latency("run-latency-blocking", host, false, ask, 3.5, effort));
            }
            if (wanted.contains("run-throughput")) {
                Timing.Body many = asks(host, host.spawn(echo()), OUTSTANDING);
                double[] nanos = Timing.nanosPer(effort, pump(host, true, OUTSTANDING), many);
                lines.add(new Line("run-throughput", 1e9 / nanos[0], "runs/s", 1e9 / nanos[1], 0.5, false));
            }
            if (wanted.contains("free-latency")) {
                lines.add(freeLatency(host, effort));
            }
        }
        return lines;
    }

    private static Line latency(
            String name, Host host, boolean nonBlocking, Timing.Body ask, double goal, Effort effort) throws Exception {
        double[] nanos = Timing.nanosPer(effort, pump(host, nonBlocking, 1), ask);
        return new Line(name, nanos[0] / 1e3, "us", nanos[1] / 1e3, goal, true);
    }

    private static Timing.Body pump(Host host, boolean nonBlocking, int outstanding) throws Exception {
        ActorRef<DeviceCommand> door =
                host.open(new NoOpDriver(nonBlocking), DeviceSettings.defaults().withQueue(2 * OUTSTANDING));
        ActorRef<Object> pump = host.spawn(Pump.create(door, requests(host, door)));
        return times -> {
            CompletableFuture<Long> done = new CompletableFuture<>();
            pump.tell(new Pump.Go(times, outstanding, done));
            return Host.got(done);
        };
    }

    /** Runs on three buffers each, all of them shared with other runs. */
    private static RunRequest[] requests(Host host, ActorRef<DeviceCommand> door) {
        List<BufferHandle> buffers = new ArrayList<>();
        for (int i = 0; i < OUTSTANDING; i++) {
            buffers.add(host.allocate(door, "b" + i, Host.LENGTH * Float.BYTES));
        }
        RunRequest[] requests = new RunRequest[OUTSTANDING];
        for (int i = 0; i < OUTSTANDING; i++) {
            requests[i] =
                    Host.three(buffers.get(i), buffers.get((i + 1) % OUTSTANDING), buffers.get((i + 2) % OUTSTANDING));
        }
        return requests;
    }

    /** Bare asks; the callbacks run where the reply arrives, for the stage's own would start a thread for each. */
    private static Timing.Body asks(Host host, ActorRef<Ping> echo, int outstanding) {
        return times -> {
            Semaphore room = new Semaphore(outstanding);
            for (int i = 0; i < times; i++) {
                room.acquire();
                CompletionStage<Ping> reply = AskPattern.ask(
                        echo, Ping::new, Host.LIMIT, host.system().scheduler());
                reply.whenCompleteAsync((p, problem) -> room.release(), Runnable::run);
            }
            room.acquire(outstanding);
            return times;
        };
    }

    /** A free that is refused, with 64 runs in flight, against an ask of an actor that shares its thread with nobody. */
    private static Line freeLatency(Host host, Effort effort) throws Exception {
        ActorRef<DeviceCommand> door =
                host.open(new NoOpDriver(true), DeviceSettings.defaults().withQueue(2 * OUTSTANDING));
        ActorRef<Object> pump = host.spawn(Pump.create(door, requests(host, door)));
        BufferHandle[] mine = new BufferHandle[1];
        ActorRef<Ping> echo = host.spawn(echo());
        Timing.Body frees = times -> {
            long freed = 0;
            for (int i = 0; i < times; i++) {
                mine[0] = host.allocate(door, "mine", 64);
                freed += host.<Reply.FreeReply>ask(door, to -> new DeviceCommand.Free(mine[0], to))
                                instanceof Reply.Released
                        ? 1
                        : 0;
            }
            return freed;
        };
        Timing.Body two = asks(host, echo, 1);
        CompletableFuture<Long> load = new CompletableFuture<>();
        pump.tell(new Pump.Go(Integer.MAX_VALUE, OUTSTANDING, load));
        try {
            // an allocation and a free each: two questions against two
            double[] nanos = Timing.nanosPer(effort, frees, times -> two.run(2 * times));
            return new Line("free-latency", nanos[0] / 2e3, "us", nanos[1] / 2e3, 2, true);
        } finally {
            pump.tell(new Pump.Go(1, 1, load));
            Host.got(load);
        }
    }
}
