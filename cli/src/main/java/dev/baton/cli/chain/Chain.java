package dev.baton.cli.chain;

import dev.baton.context.DeviceSettings;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunPhase;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Scalar;
import dev.baton.protocol.Signature;
import dev.baton.protocol.Tensor;
import dev.baton.runtime.ThreadRuntime;
import dev.baton.sim.SimDriver;
import dev.baton.sim.SimSettings;
import dev.baton.supervision.FailureLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;

/** Runs one chain on a simulated device of its own and tells what happened. */
public final class Chain {
    /** More runs than one chain may have. */
    public static final int MAX_RUNS = 100_000;

    private static final String DEVICE = "sim";
    private static final String CALLABLE = "add_const";
    private static final int WARM_UP_RUNS = 300;
    /** Progress is told when the whole takes longer than so long. */
    private static final long QUIET_NANOS = 1_000_000_000L;

    private final ChainOptions options;
    private final Consumer<String> progress;

    public Chain(ChainOptions options, Consumer<String> progress) {
        this.options = options;
        this.progress = progress;
    }

    /** Names of the buffers as people know them: x, y, z, w, then b4, b5, … */
    static String buffer(int i) {
        return i < 4 ? "xyzw".substring(i, i + 1) : "b" + i;
    }

    /** Names of the runs: A to Z, then R27, … */
    static String run(int i) {
        return i < 26 ? Character.toString('A' + i) : "R" + (i + 1);
    }

    /** Runs it, after a short chain that nobody sees, so that the time line shows the device and not the JVM's start. */
    public ChainReport run(Vector x) throws InterruptedException {
        ChainOptions warm =
                new ChainOptions(WARM_UP_RUNS, options.depth(), options.add(), 0, 0, options.serial(), 1 << 20);
        new Chain(warm, progress).once(Vector.constant(DataType.F32, 4, 2.0));
        return once(x);
    }

    private ChainReport once(Vector x) throws InterruptedException {
        SimSettings sim = SimSettings.defaults()
                .memory(options.memoryBytes())
                .maxDepth(Math.max(64, options.depth()))
                .concurrentPrepare(!options.serial())
                .joinedLaunch(!options.serial())
                .kernelNanos(options.kernelNanos())
                .prepareNanos(options.prepareNanos())
                .keepLog(false);
        DeviceSettings settings = DeviceSettings.defaults()
                .withDepth(options.serial() ? 1 : options.depth())
                .withQueue(options.runs());
        try (ThreadRuntime runtime = new ThreadRuntime();
                Client client = new Client(DEVICE, new SimDriver(sim), settings, runtime)) {
            return run(client, x);
        }
    }

    private ChainReport run(Client client, Vector x) throws InterruptedException {
        ConcurrentLinkedQueue<DeviceEvent> events = new ConcurrentLinkedQueue<>();
        ActorRef<DeviceEvent> watcher = client.actor("events", events::add);
        client.<Reply.SubscribeReply>ask(to -> new DeviceCommand.Subscribe(watcher, to));
        Signature signature = Signature.of(Role.IN, Role.OUT, Role.SCALAR);
        client.<Reply.RegisterReply>ask(
                to -> new DeviceCommand.Register(new CallableSpec(CALLABLE, CALLABLE, signature), to));
        List<BufferHandle> buffers = new ArrayList<>();
        for (int i = 0; i <= options.runs(); i++) {
            buffers.add(client.allocate(buffer(i), x.bytes().size()));
        }
        client.<Reply.WriteReply>ask(to -> new DeviceCommand.Write("input", buffers.get(0), 0, x.bytes(), to));

        // A is held, so that A and B are live when the free of y between them is asked for, however fast the device
        int first = Math.min(2, options.runs());
        for (int i = 0; i < first; i++) {
            client.submit(request(x, buffers, i, i == 0));
        }
        CompletionStage<Reply.FreeReply> tooEarly = client.asked(to -> new DeviceCommand.Free(buffers.get(1), to));
        for (int i = first; i < options.runs(); i++) {
            client.submit(request(x, buffers, i, false));
        }
        client.activate(run(0));
        collect(client, x, buffers);
        List<Vector> values = read(client, x, buffers);
        Reply later = Client.answer(client.<Reply.FreeReply>asked(to -> new DeviceCommand.Free(buffers.get(1), to)));
        client.<Reply.CloseReply>ask(DeviceCommand.Close::new);
        return new ChainReport(options, values, Client.answer(tooEarly), later, List.copyOf(events));
    }

    private RunRequest request(Vector x, List<BufferHandle> buffers, int i, boolean held) {
        long n = x.elements();
        RunRequest.Builder request = held ? RunRequest.of(CALLABLE).held() : RunRequest.of(CALLABLE);
        return request.named(run(i))
                .tensor(Tensor.of(buffers.get(i), 0, x.type(), n))
                .tensor(Tensor.of(buffers.get(i + 1), 0, x.type(), n))
                .argument(new dev.baton.protocol.Argument.Value(
                        x.type() == DataType.F32 ? Scalar.f32((float) options.add()) : Scalar.f64(options.add())))
                .build();
    }

    private void collect(Client client, Vector x, List<BufferHandle> buffers) throws InterruptedException {
        long whole = options.prepareNanos() + options.runs() * options.kernelNanos();
        Duration limit = Client.ANSWER.plusNanos(4 * (whole + options.runs() * options.prepareNanos()));
        client.collect(
                options.runs(),
                limit,
                done -> {
                    // once for each tenth
                    if (whole > QUIET_NANOS && 10 * done / options.runs() > 10 * (done - 1) / options.runs()) {
                        progress.accept(done + " of " + options.runs() + " runs done");
                    }
                },
                f -> told(f, x, buffers));
    }

    /** The same line that the device's log has. */
    private String told(RunReply.Finished f, Vector x, List<BufferHandle> buffers) {
        int i = 0;
        while (!run(i).equals(f.name())) {
            i++;
        }
        return FailureLine.of(
                DEVICE,
                request(x, buffers, i, false),
                handle -> buffer(buffers.indexOf(handle)),
                java.util.Objects.requireNonNull(f.failure()));
    }

    /** The values of the first buffers and of the last, for people. */
    private static List<Vector> read(Client client, Vector x, List<BufferHandle> buffers) {
        List<Vector> values = new ArrayList<>();
        for (int i = 0; i < buffers.size(); i++) {
            if (i < 4 || i == buffers.size() - 1) {
                values.add(new Vector(
                        x.type(),
                        client.read(
                                "read of " + buffer(i),
                                buffers.get(i),
                                x.bytes().size())));
            }
        }
        return values;
    }

    /** Whether an event belongs on the time line. */
    static boolean onTimeLine(DeviceEvent e) {
        return e instanceof DeviceEvent.Phase p && p.phase() != RunPhase.QUEUED;
    }
}
