package dev.baton.benchmarks;

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
import dev.baton.sim.SimDriver;
import dev.baton.sim.SimSettings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
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
        BlockingQueue<Result> results = new LinkedBlockingQueue<>();
        try (Host host = new Host()) {
            ActorRef<DeviceCommand> device = host.open(driver, DeviceSettings.defaults());
            ActorRef<RunReply> nobody = host.system().ignoreRef();
            host.<Reply.RegisterReply>ask(
                    device,
                    to -> new LocalCommand.RegisterBuild(
                            new CallableSpec("walk", "copy", Signature.of(Role.IN, Role.OUT)),
                            context -> {
                                results.add(walks(context, driver, c));
                                driver.driver.control().go("ahead", "execute");
                                context.emitOwn(java.util.Map.of());
                            },
                            to));
            host.<Reply.RegisterReply>ask(
                    device,
                    to -> new DeviceCommand.Register(
                            new CallableSpec("inc", "inc", Signature.of(Role.INOUT, Role.SCALAR)), to));
            BufferHandle walk = host.allocate(device, "walk", 4L * c.elements() + 64);
            BufferHandle out = host.allocate(device, "out", 4);
            host.<Reply.WriteReply>ask(
                    device, to -> new DeviceCommand.Write("cycle", walk, 0, cycle(c.elements()), to));
            if (c.fenced()) {
                driver.driver.control().hold("ahead", "execute");
                device.tell(new DeviceCommand.Submit(
                        RunRequest.of("inc")
                                .named("ahead")
                                .tensor(Tensor.of(walk, 4L * c.elements(), DataType.F32, 16))
                                .scalar(1)
                                .build(),
                        nobody));
            }
            device.tell(new DeviceCommand.Submit(
                    RunRequest.of("walk")
                            // fenced: the run ahead writes the argument's last elements, which nobody reads
                            .tensor(walk.tensor(DataType.I32, c.elements() + (c.fenced() ? 16 : 0)))
                            .tensor(out.tensor(DataType.I32, 1))
                            .build(),
                    nobody));
            Result result = results.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
            if (result == null) {
                throw new IllegalStateException("the build did not run");
            }
            return result;
        }
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
        return new Result(Timing.median(value), Timing.median(baseline), at);
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
}
