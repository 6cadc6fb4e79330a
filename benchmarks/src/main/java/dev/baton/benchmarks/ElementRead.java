package dev.baton.benchmarks;

import com.typesafe.config.ConfigFactory;
import dev.baton.context.DeviceSettings;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.LocalCommand;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import dev.baton.protocol.Tensor;
import dev.baton.protocol.build.BuildContext;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.Driver;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.runtime.ThreadRuntime;
import dev.baton.sim.SimDriver;
import dev.baton.sim.SimSettings;
import dev.baton.supervision.Devices;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * What a read of one element costs in a build, when the value needs no waiting: each read's position is the value of the read
 * before, at random in the argument, against the same walk over the very memory that the driver shows ({@code getInt} of a direct
 * buffer). Both are timed in turns on the slot's thread, inside one build; the medians of the rounds are told.
 */
public final class ElementRead {
    private static final long LIMIT_SECONDS = 300;
    private static final int SEED = 42;

    /**
     * One measurement.
     *
     * @param name of the line
     * @param elements of the argument, i32
     * @param fenced whether a run ahead still writes bytes of the same buffer, beside those that are read
     */
    public record Case(String name, int elements, boolean fenced, int reads, int rounds) {}

    /**
     * What one case came to, in nanoseconds per read.
     *
     * @param check where both walks ended, so that neither can be left out
     */
    public record Result(double value, double baseline, long check) {
        double ratio() {
            return value / baseline;
        }
    }

    /** The driver, which remembers the memory that it last showed to a build. */
    private static final class Watched implements Driver {
        private final SimDriver driver =
                new SimDriver(SimSettings.defaults().memory(1 << 28).keepLog(false));
        private volatile @Nullable HostMemory shown;

        @Override
        public String name() {
            return driver.name();
        }

        @Override
        public Device open(DeviceRuntime runtime) {
            Device device = driver.open(runtime);
            return (Device) Proxy.newProxyInstance(
                    Device.class.getClassLoader(), new Class<?>[] {Device.class}, (proxy, method, args) -> {
                        try {
                            Object answer = method.invoke(device, args);
                            if (method.getName().equals("view")) {
                                shown = (HostMemory) answer;
                            }
                            return answer;
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        ByteBuffer memory() {
            HostMemory m = shown;
            if (m == null) {
                throw new IllegalStateException("the driver showed no memory");
            }
            return m.single();
        }
    }

    private ElementRead() {}

    /** Measures one case. */
    public static Result measure(Case c) throws Exception {
        Watched driver = new Watched();
        BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
        BlockingQueue<Result> results = new LinkedBlockingQueue<>();
        // the system ends before its runtime: its shutdown closes the device, on threads of the runtime
        try (ThreadRuntime runtime = new ThreadRuntime()) {
            ActorSystem<Void> system = ActorSystem.create(
                    Behaviors.empty(),
                    "bench",
                    ConfigFactory.parseString("pekko.loglevel = OFF").withFallback(ConfigFactory.load()));
            try {
                ActorRef<DeviceCommand> device =
                        Devices.open(system, "sim", driver, runtime, DeviceSettings.defaults());
                ActorRef<Object> client = system.systemActorOf(
                        Behaviors.receiveMessage(m -> {
                            answers.add(m);
                            return Behaviors.same();
                        }),
                        "client",
                        Props.empty());
                device.tell(new LocalCommand.RegisterBuild(
                        new CallableSpec("walk", "copy", Signature.of(Role.IN, Role.OUT)),
                        context -> {
                            results.add(walks(context, driver, c));
                            driver.driver.control().go("ahead", "execute");
                            context.emitOwn(java.util.Map.of());
                        },
                        client.narrow()));
                next(answers, Reply.Registered.class);
                device.tell(new DeviceCommand.Register(
                        new CallableSpec("inc", "inc", Signature.of(Role.INOUT, Role.SCALAR)), client.narrow()));
                next(answers, Reply.Registered.class);
                BufferHandle walk = allocate(device, client, answers, "walk", 4L * c.elements() + 64);
                BufferHandle out = allocate(device, client, answers, "out", 4);
                device.tell(new DeviceCommand.Write("cycle", walk, 0, cycle(c.elements()), client.narrow()));
                next(answers, Reply.Written.class);
                if (c.fenced()) {
                    driver.driver.control().hold("ahead", "execute");
                    device.tell(new DeviceCommand.Submit(
                            RunRequest.of("inc")
                                    .named("ahead")
                                    .tensor(Tensor.of(walk, 4L * c.elements(), DataType.F32, 16))
                                    .scalar(1)
                                    .build(),
                            client.narrow()));
                }
                device.tell(new DeviceCommand.Submit(
                        RunRequest.of("walk")
                                // fenced: the run ahead writes the argument's last elements, which nobody reads
                                .tensor(walk.tensor(DataType.I32, c.elements() + (c.fenced() ? 16 : 0)))
                                .tensor(out.tensor(DataType.I32, 1))
                                .build(),
                        client.narrow()));
                Result result = results.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
                if (result == null) {
                    throw new IllegalStateException("the build did not run; answers " + answers);
                }
                return result;
            } finally {
                system.terminate();
                system.getWhenTerminated().toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    private static BufferHandle allocate(
            ActorRef<DeviceCommand> device,
            ActorRef<Object> client,
            BlockingQueue<Object> answers,
            String name,
            long bytes)
            throws InterruptedException {
        device.tell(new DeviceCommand.Allocate(name, bytes, client.narrow()));
        return next(answers, Reply.Allocated.class).buffer();
    }

    /** Next positions that go through all elements in one cycle (Sattolo). */
    private static HostBytes cycle(int elements) {
        Random random = new Random(SEED);
        int[] next = new int[elements];
        Arrays.setAll(next, i -> i);
        for (int i = elements - 1; i > 0; i--) {
            int j = random.nextInt(i);
            int old = next[i];
            next[i] = next[j];
            next[j] = old;
        }
        ByteBuffer bytes = HostBytes.blank(4 * elements);
        for (int n : next) {
            bytes.putInt(n);
        }
        return HostBytes.takeOver(bytes.flip());
    }

    private static Result walks(BuildContext context, Watched driver, Case c) {
        context.getLong(0, 0); // now the driver has shown its memory
        ByteBuffer memory = driver.memory().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        double[] value = new double[c.rounds()];
        double[] baseline = new double[c.rounds()];
        long at = 0;
        int bare = 0;
        // the first half warms up; then both in turns, so that other load on the machine meets both
        for (int round = -c.rounds(); round < c.rounds(); round++) {
            long start = System.nanoTime();
            at = inBuild(context, at, c.reads());
            long between = System.nanoTime();
            bare = bare(memory, bare, c.reads());
            long end = System.nanoTime();
            if (round >= 0) {
                value[round] = (double) (between - start) / c.reads();
                baseline[round] = (double) (end - between) / c.reads();
            }
        }
        if (at != bare) {
            throw new IllegalStateException("the walks ended at " + at + " and " + bare);
        }
        return new Result(median(value), median(baseline), at);
    }

    private static long inBuild(BuildContext context, long from, int reads) {
        long at = from;
        for (int i = 0; i < reads; i++) {
            at = context.getLong(0, at);
        }
        return at;
    }

    private static int bare(ByteBuffer memory, int from, int reads) {
        int at = from;
        for (int i = 0; i < reads; i++) {
            at = memory.getInt(4 * at);
        }
        return at;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static <T> T next(BlockingQueue<Object> answers, Class<T> kind) throws InterruptedException {
        Object answer = answers.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        while (answer instanceof RunReply && !RunReply.class.isAssignableFrom(kind)) {
            answer = answers.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
        if (!kind.isInstance(answer)) {
            throw new IllegalStateException("expected " + kind.getSimpleName() + ", got " + answer);
        }
        return kind.cast(answer);
    }

    /** Measures and prints each case as one JSON object per line. */
    public static void report(PrintStream out, List<Case> cases) throws Exception {
        for (Case c : cases) {
            Result r = measure(c);
            out.printf(
                    Locale.ROOT,
                    "{\"bench\": \"%s\", \"value\": %.3f, \"unit\": \"ns\", \"baseline\": %.3f, \"ratio\": %.4f}%n",
                    c.name(),
                    r.value(),
                    r.baseline(),
                    r.ratio());
        }
    }

    public static void main(String[] args) throws Exception {
        int reads = 1 << 20;
        report(
                System.out,
                List.of(
                        new Case("element-read-16mib", 1 << 22, false, reads, 15),
                        new Case("element-read-1mib", 1 << 18, false, reads, 31),
                        new Case("element-read-64kib", 1 << 14, false, reads, 31),
                        new Case("element-read-16mib-fenced-beside", 1 << 22, true, reads, 15),
                        new Case("element-read-64kib-fenced-beside", 1 << 14, true, reads, 31)));
    }
}
