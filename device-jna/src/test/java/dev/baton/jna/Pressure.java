package dev.baton.jna;

import dev.baton.embedding.Baton;
import dev.baton.embedding.DeviceClient;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand.When;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.HostTensor;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import java.util.concurrent.atomic.AtomicBoolean;

/** A program of its own JVM: chains on a native device while another thread fills the heap with garbage all the time. */
final class Pressure {
    private static final int ROUNDS = 200;
    private static final int COUNT = 1000;
    private static final int GARBAGE_BYTES = 1 << 16;
    private static volatile byte[] garbage = new byte[0];

    private Pressure() {}

    public static void main(String[] args) throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Thread litter = new Thread(() -> {
            while (!done.get()) {
                garbage = new byte[GARBAGE_BYTES];
            }
        });
        litter.start();
        try (Baton baton = Baton.start()) {
            DeviceClient device = baton.open("native", new NativeDriver(args[0]));
            device.register(new CallableSpec("add", "add_const", Signature.of(Role.IN, Role.OUT, Role.SCALAR)));
            BufferHandle x =
                    device.allocate("x", COUNT * 4L).toCompletableFuture().join();
            for (int round = 0; round < ROUNDS; round++) {
                float[] values = new float[COUNT];
                for (int i = 0; i < COUNT; i++) {
                    values[i] = round + i;
                }
                check(round, onDevice(device, x, values), 3);
                check(round, overHost(device, values), 4);
            }
            System.out.println("rounds=" + ROUNDS + " right; collected " + collections() + " times");
        } finally {
            done.set(true);
        }
    }

    private static float[] onDevice(DeviceClient device, BufferHandle x, float[] values) {
        device.write("in", x, 0, HostBytes.ofFloats(values));
        BufferHandle z = device.chain(x, DataType.F32, COUNT)
                .then("add", 1)
                .then("add", 2)
                .submit()
                .toCompletableFuture()
                .join();
        float[] got = device.read("out", z, 0, COUNT * 4L, When.LATER)
                .toCompletableFuture()
                .join()
                .toFloats();
        device.free(z).toCompletableFuture().join();
        return got;
    }

    /** Host tensors: staged outside the heap while the library reads and writes them. */
    private static float[] overHost(DeviceClient device, float[] values) {
        RunRequest request = RunRequest.of("add")
                .fromHost(HostTensor.ofFloats(values))
                .toHost(DataType.F32, COUNT)
                .scalar(4)
                .build();
        return device.submit(request)
                .result()
                .toCompletableFuture()
                .join()
                .hostOutputs()
                .get(0)
                .bytes()
                .toFloats();
    }

    private static void check(int round, float[] got, int added) {
        for (int i = 0; i < COUNT; i++) {
            if (got[i] != round + i + added) {
                throw new IllegalStateException("round " + round + ", element " + i + " is " + got[i]);
            }
        }
    }

    private static long collections() {
        return java.lang.management.ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(java.lang.management.GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }
}
