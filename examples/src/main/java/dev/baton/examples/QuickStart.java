package dev.baton.examples;

import dev.baton.embedding.Baton;
import dev.baton.embedding.DeviceClient;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand.When;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.Role;
import dev.baton.protocol.Signature;
import dev.baton.protocol.driver.DriverException;
import dev.baton.sim.SimDriver;
import dev.baton.sim.SimSettings;

/** The README's quick start: two runs chained on a device. */
public final class QuickStart {
    private QuickStart() {}

    // <quick-start>
    static float[] addTwice(float... input) throws DriverException {
        try (Baton baton = Baton.start()) {
            DeviceClient gpu = baton.open("gpu", new SimDriver(SimSettings.defaults()));
            gpu.register(new CallableSpec("add", "add_const", Signature.of(Role.IN, Role.OUT, Role.SCALAR)));
            long bytes = input.length * 4L;
            BufferHandle x = gpu.allocate("x", bytes).toCompletableFuture().join();
            gpu.write("input", x, 0, HostBytes.ofFloats(input));
            return gpu.chain(x, DataType.F32, input.length) // the value in between never visits the host
                    .then("add", 1)
                    .then("add", 1)
                    .submit()
                    .thenCompose(z -> gpu.read("result", z, 0, bytes, When.LATER))
                    .toCompletableFuture()
                    .join()
                    .toFloats();
        }
    }
    // </quick-start>

    /** Prints what came out. */
    public static void main(String[] args) throws DriverException {
        System.out.println(java.util.Arrays.toString(addTwice(1, 2, 3)));
    }
}
