package dev.baton.jna;

import com.typesafe.config.ConfigFactory;
import dev.baton.embedding.Baton;
import dev.baton.embedding.DeviceClient;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import dev.baton.testkit.conformance.DriverFaults;

/** A program of its own JVM: ends while a run of a native device executes that will never end. */
final class InFlight {
    private InFlight() {}

    public static void main(String[] args) throws Exception {
        NativeDevice[] opened = new NativeDevice[1];
        NativeDriver driver = new NativeDriver(args[0]);
        Baton baton = Baton.start(ConfigFactory.parseString("baton.device.close-timeout = " + args[2])
                .withFallback(ConfigFactory.load()));
        DeviceClient device = baton.open("native", new dev.baton.protocol.driver.Driver() {
            @Override
            public String name() {
                return driver.name();
            }

            @Override
            public NativeDevice open(dev.baton.protocol.driver.DeviceRuntime runtime)
                    throws dev.baton.protocol.driver.DriverException {
                opened[0] = driver.open(runtime);
                return opened[0];
            }
        });
        device.register(new CallableSpec("add", "add_const", Signature.of(Role.IN, Role.OUT, Role.SCALAR)));
        BufferHandle x = device.allocate("x", 16).toCompletableFuture().join();
        BufferHandle y = device.allocate("y", 16).toCompletableFuture().join();
        DriverFaults hand = new ReferenceFaults(args[0]);
        hand.hold(opened[0], "endless");
        device.submit(RunRequest.of("add")
                        .named("endless")
                        .tensor(x.tensor(DataType.F32, 4))
                        .tensor(y.tensor(DataType.F32, 4))
                        .scalar(1)
                        .build())
                .accepted()
                .toCompletableFuture()
                .join();
        System.out.println("in flight");
        if (args[1].equals("exit")) {
            System.exit(7);
        }
        baton.close();
        System.out.println("closed");
    }
}
