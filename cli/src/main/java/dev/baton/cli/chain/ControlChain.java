package dev.baton.cli.chain;

import dev.baton.cli.UserError;
import dev.baton.context.DeviceSettings;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.LocalCommand;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import dev.baton.protocol.Tensor;
import dev.baton.protocol.build.BuildContext;
import dev.baton.protocol.driver.Task;
import dev.baton.protocol.driver.Task.TaskArgument;
import dev.baton.runtime.ThreadRuntime;
import dev.baton.sim.KernelCall;
import dev.baton.sim.Operand;
import dev.baton.sim.SimDriver;
import dev.baton.sim.SimSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * A chain whose graph depends on what the device computes: square roots by Newton's method. All runs are submitted at once; the host
 * build of each reads the residual that the run ahead leaves on the device. Where that is not produced yet, the run waits by
 * itself; then the build emits one more step, or only hands the result on because the residual is small enough.
 */
public final class ControlChain {
    /** More steps than one chain may have. */
    public static final int MAX_STEPS = 1000;

    private static final int WARM_UP_RUNS = 100;
    private static final String CALLABLE = "newton-step";
    private static final String NEWTON = "newton";
    private static final int A = 0;
    private static final int X = 1;
    private static final int RESIDUAL = 2;
    private static final int NEXT_X = 3;
    private static final int NEXT_RESIDUAL = 4;

    private final ControlOptions options;
    /** Runs whose last attempt emitted a step. */
    private final AtomicInteger steps = new AtomicInteger();

    public ControlChain(ControlOptions options) {
        this.options = options;
    }

    static String run(int i) {
        return "S" + (i + 1);
    }

    /** One step for the whole vector, from x = a; the residual is the largest {@code |x² − a| / a}. */
    static void newton(KernelCall call) {
        Operand a = call.tensor(0);
        Operand x = call.tensor(1);
        Operand next = call.tensor(2);
        double worst = 0;
        for (long i = 0; i < a.elements() && !call.cancelled(); i++) {
            next.set(i, (x.get(i) + a.get(i) / x.get(i)) / 2);
            worst = Math.max(worst, Math.abs(next.get(i) * next.get(i) - a.get(i)) / a.get(i));
        }
        call.tensor(3).set(0, worst);
    }

    private void build(BuildContext c) {
        double residual = c.get(RESIDUAL, 0); // waits by itself where the run ahead has not produced it yet
        if (residual > options.tolerance()) {
            c.scope("step", s -> {
                s.emit(task(NEWTON, A, X, NEXT_X, NEXT_RESIDUAL));
                return steps.incrementAndGet();
            });
        } else {
            c.scope("done", s -> {
                s.emit(task("copy", X, NEXT_X));
                s.emit(task("copy", RESIDUAL, NEXT_RESIDUAL));
                return true;
            });
        }
    }

    private static Task task(String kernel, int... arguments) {
        return new Task(
                kernel,
                IntStream.of(arguments)
                        .<TaskArgument>mapToObj(TaskArgument.OfRun::new)
                        .toList(),
                List.of());
    }

    /** Computes the square roots of a vector of positive values. */
    public ControlReport run(Vector a) throws InterruptedException {
        for (int i = 0; i < a.elements(); i++) {
            if (!(a.get(i) > 0) || Double.isInfinite(a.get(i))) {
                throw new UserError(
                        "value " + (i + 1) + " is " + a.get(i) + ": --control needs positive, finite values");
            }
        }
        // a short chain that nobody sees, so that the time line shows the device and not the JVM's start
        ControlOptions warm = new ControlOptions(WARM_UP_RUNS, options.depth(), options.tolerance(), 0, 0, 1 << 20);
        new ControlChain(warm).once(Vector.constant(DataType.F32, 4, 2.0));
        return once(a);
    }

    private ControlReport once(Vector a) throws InterruptedException {
        SimSettings sim = SimSettings.defaults()
                .memory(options.memoryBytes())
                .maxDepth(Math.max(64, options.depth()))
                .kernelNanos(options.kernelNanos())
                .kernelNanos("copy", 0) // handing a result on is cheap
                .prepareNanos(options.prepareNanos())
                .keepLog(false)
                .kernel(NEWTON, ControlChain::newton);
        DeviceSettings settings =
                DeviceSettings.defaults().withDepth(options.depth()).withQueue(options.maxSteps());
        try (ThreadRuntime runtime = new ThreadRuntime();
                Client client = new Client("sim", new SimDriver(sim), settings, runtime)) {
            return run(client, a);
        }
    }

    private ControlReport run(Client client, Vector a) throws InterruptedException {
        ConcurrentLinkedQueue<DeviceEvent> events = new ConcurrentLinkedQueue<>();
        ActorRef<DeviceEvent> watcher = client.actor("events", events::add);
        client.<Reply.SubscribeReply>ask(to -> new DeviceCommand.Subscribe(watcher, to));
        CallableSpec spec =
                new CallableSpec(CALLABLE, NEWTON, Signature.of(Role.IN, Role.IN, Role.IN, Role.OUT, Role.OUT));
        client.<Reply.RegisterReply>ask(to -> new LocalCommand.RegisterBuild(spec, this::build, to));
        long bytes = a.bytes().size();
        BufferHandle input = client.allocate("a", a.bytes());
        List<BufferHandle> xs = new ArrayList<>(List.of(client.allocate("x0", a.bytes())));
        List<BufferHandle> residuals =
                new ArrayList<>(List.of(client.allocate("r0", HostBytes.ofDoubles(Double.POSITIVE_INFINITY))));
        for (int i = 1; i <= options.maxSteps(); i++) {
            xs.add(client.allocate("x" + i, bytes));
            residuals.add(client.allocate("r" + i, Double.BYTES));
        }
        for (int i = 0; i < options.maxSteps(); i++) {
            client.submit(RunRequest.of(CALLABLE)
                    .named(run(i))
                    .tensor(all(input, a))
                    .tensor(all(xs.get(i), a))
                    .tensor(residuals.get(i).tensor(DataType.F64, 1))
                    .tensor(all(xs.get(i + 1), a))
                    .tensor(residuals.get(i + 1).tensor(DataType.F64, 1))
                    .build());
        }
        long whole = options.maxSteps() * (options.kernelNanos() + 2 * options.prepareNanos());
        client.collect(options.maxSteps(), Client.ANSWER.plus(Duration.ofNanos(4 * whole)));
        List<Double> after = new ArrayList<>();
        for (int i = 1; i <= options.maxSteps(); i++) {
            after.add(client.read("read of r" + i, residuals.get(i), Double.BYTES)
                    .view()
                    .getDouble(0));
        }
        Vector result = new Vector(a.type(), client.read("read of the result", xs.get(options.maxSteps()), bytes));
        client.<Reply.CloseReply>ask(DeviceCommand.Close::new);
        return new ControlReport(a, result, after, steps.get(), options.tolerance(), List.copyOf(events));
    }

    private static Tensor all(BufferHandle buffer, Vector like) {
        return Tensor.of(buffer, 0, like.type(), like.elements());
    }
}
