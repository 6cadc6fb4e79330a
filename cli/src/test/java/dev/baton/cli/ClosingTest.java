package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.baton.context.DeviceSettings;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.Health;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.Driver;
import dev.baton.runtime.ThreadRuntime;
import dev.baton.sim.CallKind;
import dev.baton.sim.Point;
import dev.baton.sim.SimDriver;
import dev.baton.sim.SimSettings;
import dev.baton.supervision.Devices;
import dev.baton.testkit.junit.BatonDevice;
import dev.baton.testkit.junit.Probe;
import dev.baton.testkit.junit.TestDevice;
import dev.baton.testkit.junit.TestRun;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** How a device ends: with its host, and out of a close that hangs (F3, F4, decision 8). */
class ClosingTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final List<String> order = new CopyOnWriteArrayList<>();

    /** A simulated device that tells of its close. */
    private Driver recording(SimDriver sim) {
        return new Driver() {
            @Override
            public String name() {
                return sim.name();
            }

            @Override
            public Device open(dev.baton.protocol.driver.DeviceRuntime runtime) {
                Device inner = sim.open(runtime);
                return (Device) Proxy.newProxyInstance(
                        Device.class.getClassLoader(), new Class<?>[] {Device.class}, (proxy, method, args) -> {
                            if (method.getName().equals("close")) {
                                order.add("natives released");
                            }
                            try {
                                return method.invoke(inner, args);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
            }
        };
    }

    @Test
    void theHostsShutdownRefusesNewWorkThenQuietsTheLaneThenReleasesNatives() throws Exception {
        SimDriver sim = new SimDriver(SimSettings.defaults());
        try (ThreadRuntime runtime = new ThreadRuntime()) {
            ActorSystem<Void> system = ActorSystem.create(
                    Behaviors.empty(),
                    "host",
                    ConfigFactory.parseString("pekko { loglevel = OFF, stdout-loglevel = OFF, jvm-shutdown-hooks = off,"
                                    + " coordinated-shutdown.phases.before-actor-system-terminate.timeout = 60 s }")
                            .withFallback(ConfigFactory.load()));
            ActorRef<DeviceCommand> door =
                    Devices.open(system, "dev", recording(sim), runtime, DeviceSettings.defaults());
            this.<Reply.RegisterReply>ask(
                    system,
                    door,
                    to -> new DeviceCommand.Register(
                            new CallableSpec("inc", "inc", Signature.of(Role.INOUT, Role.SCALAR)), to));
            BufferHandle x = ((Reply.Allocated)
                            this.<Reply.AllocateReply>ask(system, door, to -> new DeviceCommand.Allocate("x", 4, to)))
                    .buffer();
            sim.control().hold("A", Point.EXECUTE);
            ActorRef<RunReply> ends = system.systemActorOf(
                    Behaviors.<RunReply>receiveMessage(r -> {
                        if (r instanceof RunReply.Finished f) {
                            order.add(f.name() + (f.completed() ? " completed" : " failed"));
                        } else if (r instanceof RunReply.Rejected no) {
                            order.add(no.name() + " rejected " + no.refusal().code());
                        }
                        return Behaviors.same();
                    }),
                    "ends",
                    Props.empty());
            door.tell(new DeviceCommand.Submit(inc("A", x), ends));
            Awaitility.await().atMost(LIMIT).until(() -> !sim.control().held().isEmpty());

            java.util.concurrent.CompletionStage<Done> down =
                    CoordinatedShutdown.get(system).runAll(CoordinatedShutdown.unknownReason());
            Awaitility.await().atMost(LIMIT).until(() -> {
                door.tell(new DeviceCommand.Submit(inc("late", x), ends));
                return order.contains("late rejected CLOSED");
            });
            assertThat(order).doesNotContain("natives released", "A completed");
            sim.control().go("A", Point.EXECUTE);
            down.toCompletableFuture().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            order.removeIf(o -> o.startsWith("late "));
            assertThat(order).containsExactly("A completed", "natives released");
            assertThat(system.getWhenTerminated().toCompletableFuture()).isDone();
            assertThat(sim.control().violations()).isEmpty();
        }
    }

    private static RunRequest inc(String name, BufferHandle x) {
        return RunRequest.of("inc")
                .named(name)
                .tensor(x.tensor(DataType.F32, 1))
                .scalar(1)
                .build();
    }

    private <T> T ask(ActorSystem<Void> system, ActorRef<DeviceCommand> door, Function<ActorRef<T>, DeviceCommand> c)
            throws Exception {
        return AskPattern.<DeviceCommand, T>ask(door, c::apply, LIMIT, system.scheduler())
                .toCompletableFuture()
                .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @BatonDevice(seeds = 40, threads = 2)
    void aResetEndsACloseThatHangsAndTheDeviceEndsClosed(TestDevice device) {
        TestRun hanging = hanging(device);
        Probe<Reply.CloseReply> close = device.ask("close", DeviceCommand.Close::new);
        device.rest();
        assertThat(close.isSilent()).isTrue();
        device.<Reply.ResetReply>ask("reset", DeviceCommand.Reset::new).get(Reply.ResetDone.class);
        assertThat(hanging.failure().reason()).isEqualTo(FailureReason.RESET);
        Reply.Closed report = close.get(Reply.Closed.class);
        assertThat(report.stillAllocated()).isEmpty();
        assertThat(report.leaked()).isEmpty();
        assertThat(device.status().health()).isEqualTo(Health.CLOSED);
        assertThat(device.<Reply.ResetReply>ask("reset", DeviceCommand.Reset::new)
                        .get(Reply.Refused.class)
                        .refusal()
                        .message())
                .contains("closed");
    }

    @BatonDevice(seeds = 40)
    void aResetThatIsNotProvenAnswersTheCloseAndLeavesAllAsItIs(TestDevice device) {
        TestRun hanging = hanging(device);
        Probe<Reply.CloseReply> close = device.ask("close", DeviceCommand.Close::new);
        device.control().faultNext(CallKind.RESET, 1);
        device.<Reply.ResetReply>ask("reset", DeviceCommand.Reset::new).get(Reply.Failed.class);
        assertThat(hanging.failure().reason()).isEqualTo(FailureReason.INTERNAL);
        assertThat(close.get(Reply.Closed.class).leaked()).contains("left as they are");
        assertThat(device.status().health()).isEqualTo(Health.CLOSED);
        device.control().releaseAll();
    }

    private static TestRun hanging(TestDevice device) {
        BufferHandle x = device.floats("x", 1);
        BufferHandle y = device.floats("y", 0);
        device.gate("A", Point.EXECUTE).hold();
        TestRun run = device.addConst("A", x, y, 1, 1);
        run.id();
        return run;
    }
}
