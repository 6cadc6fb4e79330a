package dev.baton.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.Health;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import dev.baton.sim.Fault;
import dev.baton.sim.Point;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestTemplate;

/** What a user's test gets, deterministic and on real threads. */
@BatonDevice(seeds = 20, threads = 3)
class BatonDeviceTest {
    private static final Set<String> SEEN = new TreeSet<>();

    @TestTemplate
    void chainsRuns(TestDevice device) {
        BufferHandle x = device.floats("x", 1, 2, 3);
        BufferHandle y = device.floats("y", 0, 0, 0);
        BufferHandle z = device.floats("z", 0, 0, 0);
        TestRun a = device.addConst("a", x, y, 3, 1);
        TestRun b = device.addConst("b", y, z, 3, 10);
        assertThat(device.values(z, 3)).containsExactly(12, 13, 14);
        a.completed();
        b.completed();
    }

    @TestTemplate
    void holdsAndLetsGo(TestDevice device) {
        BufferHandle x = device.floats("x", 1);
        BufferHandle y = device.floats("y", 0);
        Gate gate = device.gate("held", Point.EXECUTE).hold();
        TestRun run = device.addConst("held", x, y, 1, 1);
        gate.awaitHeld();
        assertThat(device.free(x).get(Reply.Refused.class).refusal().code()).isEqualTo(RefusalCode.IN_USE);
        Probe<Reply.FreeReply> free = device.freeWhenIdle(x);
        assertThat(free.isSilent()).isTrue();
        gate.go();
        run.completed();
        free.get(Reply.Released.class);
        assertThat(device.status().allocated()).isEqualTo(1);
    }

    @TestTemplate
    void holdsBuildsAtPointsOfTheirOwn(TestDevice device) {
        Signature signature = Signature.of(Role.IN, Role.OUT, Role.SCALAR);
        device.register(new CallableSpec("built", "add_const", signature), context -> {
            device.pass(context.runName(), "half way");
            context.fail("given up");
        });
        BufferHandle x = device.floats("x", 1);
        Gate gate = device.gate("b", "half way").hold();
        TestRun run = device.submit(RunRequest.of("built")
                .named("b")
                .tensor(TestDevice.f32(x, 1))
                .tensor(TestDevice.f32(device.floats("y", 0), 1))
                .scalar(1)
                .build());
        gate.awaitHeld();
        gate.go();
        assertThat(run.failure().reason()).isEqualTo(FailureReason.BUILD_FAILED);
    }

    @TestTemplate
    void letsTimePass(TestDevice device) {
        BufferHandle x = device.floats("x", 1);
        device.gate("slow", Point.EXECUTE).hold();
        TestRun run = device.submit(RunRequest.of("inc")
                .named("slow")
                .tensor(TestDevice.f32(x, 1))
                .scalar(1)
                .executionDeadline(Duration.ofMillis(30))
                .build());
        run.id();
        device.advance(Duration.ofMillis(60));
        assertThat(run.failure().operation()).isEqualTo("deadline");
        assertThat(device.status().health()).isEqualTo(Health.POISONED);
    }

    @TestTemplate
    void makesRunsFailAndRecordsEvents(TestDevice device) {
        Probe<DeviceEvent> events = device.probe("events");
        device.<Reply.SubscribeReply>ask("subscribe", to -> new DeviceCommand.Subscribe(events.ref(), to))
                .get(Reply.Subscribed.class);
        BufferHandle x = device.floats("x", 1);
        device.control().fail("bad", Point.EXECUTE, Fault.ERROR);
        TestRun run = device.submit(RunRequest.of("inc")
                .named("bad")
                .tensor(TestDevice.f32(x, 1))
                .scalar(1)
                .build());
        assertThat(run.failure().reason()).isEqualTo(FailureReason.EXECUTION_FAILED);
        device.await("an event", () -> !events.all().isEmpty());
    }

    @BatonDevice(seeds = 60)
    void aRaceGoesEitherWay(TestDevice device) {
        BufferHandle x = device.floats("x", 1);
        BufferHandle y = device.floats("y", 0);
        device.race(
                () -> SEEN.add(device.free(y).get() instanceof Reply.Released ? "freed" : "refused"),
                () -> SEEN.add(device.addConst("r", x, y, 1, 1).isAccepted() ? "accepted" : "rejected"));
    }

    @BatonDevice(seeds = 60)
    void clientsInterleave(TestDevice device) {
        Probe<String> order = device.probe("order");
        Runnable a = () -> {
            device.allocate("a1", 64);
            order.ref().tell("a1");
            device.allocate("a2", 64);
            order.ref().tell("a2");
        };
        Runnable b = () -> {
            device.allocate("b1", 64);
            order.ref().tell("b1");
        };
        device.race(a, b);
        device.rest();
        assertThat(order.all()).containsSubsequence("a1", "a2").contains("b1");
        SEEN.add(String.join(" ", order.all()));
    }

    @AfterAll
    static void allOrdersWereSeen() {
        if (System.getProperty(BatonExtension.SEED_PROPERTY) == null) {
            assertThat(SEEN)
                    .containsExactlyInAnyOrder(
                            "freed", "refused", "accepted", "rejected", "a1 a2 b1", "a1 b1 a2", "b1 a1 a2");
        }
    }

    @BatonDevice(seeds = 5)
    void anActorIsKilled(TestDevice device) {
        device.crash("ledger");
        device.rest();
        assertThat(device.status().health()).isEqualTo(Health.FAILED);
        device.reset().get(Reply.ResetDone.class);
        assertThat(device.floats("x", 1)).isNotNull();
    }

    @BatonDevice(seeds = 2, depth = 1, queue = 1, concurrentPrepare = false, joinedLaunch = false, memory = 4096)
    void theAnnotationMakesTheDevice(TestDevice device) {
        assertThat(device.status().memoryBytes()).isEqualTo(4096);
        BufferHandle x = device.floats("x", 1);
        device.gate("a", Point.EXECUTE).hold();
        for (String name : new String[] {"a", "b"}) {
            assertThat(inc(device, x, name).isAccepted()).isTrue();
        }
        assertThat(inc(device, x, "c").rejected().code()).isEqualTo(RefusalCode.QUEUE_FULL);
    }

    private static TestRun inc(TestDevice device, BufferHandle x, String name) {
        return device.submit(RunRequest.of("inc")
                .named(name)
                .tensor(TestDevice.f32(x, 1))
                .scalar(1)
                .build());
    }

    @Test
    void aPlainTestGetsTheFirstSeed(TestDevice device) {
        assertThat(device).hasToString("seed " + Long.getLong(BatonExtension.SEED_PROPERTY, 1));
        assertThatThrownBy(() -> device.gate("nobody", Point.LAUNCH).awaitHeld())
                .hasMessageContaining("nothing came to nobody at launch");
        assertThatThrownBy(() -> device.probe("nothing").get()).hasMessageContaining("nothing");
    }
}
