package dev.baton.cli.chain;

import com.typesafe.config.ConfigFactory;
import dev.baton.cli.UserError;
import dev.baton.context.DeviceSettings;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunName;
import dev.baton.protocol.RunPhase;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Scalar;
import dev.baton.protocol.Signature;
import dev.baton.protocol.Tensor;
import dev.baton.protocol.driver.DriverException;
import dev.baton.runtime.ThreadRuntime;
import dev.baton.sim.SimDriver;
import dev.baton.sim.SimSettings;
import dev.baton.supervision.Devices;
import dev.baton.supervision.FailureLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Runs one chain on a simulated device of its own and tells what happened. */
public final class Chain {
    /** More runs than one chain may have. */
    public static final int MAX_RUNS = 100_000;

    private static final String DEVICE = "sim";
    private static final String CALLABLE = "add_const";
    /** Longest wait for an answer that needs no run to end. */
    private static final Duration ANSWER = Duration.ofSeconds(30);

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
        // the system ends before its runtime: its shutdown closes the device, on threads of the runtime
        try (ThreadRuntime runtime = new ThreadRuntime()) {
            ActorSystem<Void> system = ActorSystem.create(
                    Behaviors.empty(),
                    "baton",
                    ConfigFactory.parseString("pekko { loglevel = WARNING, use-slf4j = off, jvm-shutdown-hooks = off }")
                            .withFallback(ConfigFactory.load()));
            try {
                ActorRef<DeviceCommand> door = Devices.open(system, DEVICE, new SimDriver(sim), runtime, settings);
                return run(system, door, x);
            } catch (DriverException e) {
                throw new UserError("the device can't be opened: " + e.getMessage());
            } finally {
                system.terminate();
                system.getWhenTerminated().toCompletableFuture().join();
            }
        }
    }

    private ChainReport run(ActorSystem<Void> system, ActorRef<DeviceCommand> door, Vector x)
            throws InterruptedException {
        ConcurrentLinkedQueue<DeviceEvent> events = new ConcurrentLinkedQueue<>();
        ActorRef<DeviceEvent> watcher = system.systemActorOf(
                Behaviors.<DeviceEvent>receiveMessage(e -> {
                    events.add(e);
                    return Behaviors.same();
                }),
                "events",
                Props.empty());
        this.<Reply.SubscribeReply>ask(system, door, to -> new DeviceCommand.Subscribe(watcher, to));
        Signature signature = Signature.of(Role.IN, Role.OUT, Role.SCALAR);
        require(this.<Reply.RegisterReply>ask(
                system, door, to -> new DeviceCommand.Register(new CallableSpec(CALLABLE, CALLABLE, signature), to)));
        List<BufferHandle> buffers = new ArrayList<>();
        for (int i = 0; i <= options.runs(); i++) {
            buffers.add(allocate(system, door, buffer(i), x.bytes().size()));
        }
        require(this.<Reply.WriteReply>ask(
                system, door, to -> new DeviceCommand.Write("input", buffers.get(0), 0, x.bytes(), to)));

        BlockingQueue<RunReply> answers = new LinkedBlockingQueue<>();
        ActorRef<RunReply> results = system.systemActorOf(
                Behaviors.<RunReply>receiveMessage(r -> {
                    answers.add(r);
                    return Behaviors.same();
                }),
                "results",
                Props.empty());
        // A is held, so that A and B are live when the free of y between them is asked for, however fast the device
        int first = Math.min(2, options.runs());
        for (int i = 0; i < first; i++) {
            door.tell(new DeviceCommand.Submit(request(x, buffers, i, i == 0), results));
        }
        CompletionStage<Reply.FreeReply> tooEarly = AskPattern.<DeviceCommand, Reply.FreeReply>ask(
                door, to -> new DeviceCommand.Free(buffers.get(1), to), ANSWER, system.scheduler());
        for (int i = first; i < options.runs(); i++) {
            door.tell(new DeviceCommand.Submit(request(x, buffers, i, false), results));
        }
        door.tell(new DeviceCommand.Activate(new RunName(run(0)), system.ignoreRef()));
        collect(answers, x, buffers);
        List<Vector> values = read(system, door, x.type(), buffers);
        Reply later = this.<Reply.FreeReply>ask(system, door, to -> new DeviceCommand.Free(buffers.get(1), to));
        this.<Reply.CloseReply>ask(system, door, DeviceCommand.Close::new);
        return new ChainReport(options, values, answer(tooEarly), later, List.copyOf(events));
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

    private void collect(BlockingQueue<RunReply> answers, Vector x, List<BufferHandle> buffers)
            throws InterruptedException {
        long whole = options.prepareNanos() + options.runs() * options.kernelNanos();
        long limit = 4 * (whole + options.runs() * options.prepareNanos()) + ANSWER.toNanos();
        int done = 0;
        int told = 0;
        while (done < options.runs()) {
            RunReply r = answers.poll(limit, TimeUnit.NANOSECONDS);
            if (r == null) {
                throw new UserError("no answer within " + Duration.ofNanos(limit) + "; " + done + " runs had ended");
            }
            if (r instanceof RunReply.Rejected rejected) {
                throw new UserError(rejected.refusal().message());
            }
            if (r instanceof RunReply.Finished f) {
                if (f.failure() != null) {
                    throw new UserError(told(f, x, buffers));
                }
                done++;
                int tenth = 10 * done / options.runs();
                if (whole > QUIET_NANOS && tenth > told) {
                    told = tenth;
                    progress.accept(done + " of " + options.runs() + " runs done");
                }
            }
        }
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
    private List<Vector> read(
            ActorSystem<Void> system, ActorRef<DeviceCommand> door, DataType type, List<BufferHandle> buffers) {
        List<Vector> values = new ArrayList<>();
        for (int i = 0; i < buffers.size(); i++) {
            if (i < 4 || i == buffers.size() - 1) {
                BufferHandle b = buffers.get(i);
                int index = i;
                long bytes = this.bytes;
                Reply r = this.<Reply.ReadReply>ask(
                        system,
                        door,
                        to -> new DeviceCommand.Read(
                                "read of " + buffer(index), b, 0, bytes, DeviceCommand.When.NOW, to));
                require(r);
                values.add(new Vector(type, ((Reply.Data) r).bytes()));
            }
        }
        return values;
    }

    private long bytes;

    private BufferHandle allocate(ActorSystem<Void> system, ActorRef<DeviceCommand> door, String name, long size) {
        bytes = size;
        Reply r = this.<Reply.AllocateReply>ask(system, door, to -> new DeviceCommand.Allocate(name, size, to));
        require(r);
        return ((Reply.Allocated) r).buffer();
    }

    private static void require(Reply r) {
        if (r instanceof Reply.Refused refused) {
            throw new UserError(refused.refusal().message());
        } else if (r instanceof Reply.Failed failed) {
            throw new UserError(failed.message());
        }
    }

    private <T> T ask(
            ActorSystem<Void> system, ActorRef<DeviceCommand> door, Function<ActorRef<T>, DeviceCommand> command) {
        return answer(AskPattern.ask(door, command::apply, ANSWER, system.scheduler()));
    }

    private static <T> T answer(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(ANSWER.toSeconds() + 1, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new UserError("the device did not answer: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserError("interrupted");
        }
    }

    /** Whether an event belongs on the time line. */
    static boolean onTimeLine(DeviceEvent e) {
        return e instanceof DeviceEvent.Phase p && p.phase() != RunPhase.QUEUED;
    }
}
