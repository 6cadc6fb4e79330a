package dev.baton.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.baton.context.DeviceSettings;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand.When;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.OperationFailure;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunName;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Scalar;
import dev.baton.protocol.Signature;
import dev.baton.sim.Fault;
import dev.baton.sim.Point;
import dev.baton.sim.SimDriver;
import dev.baton.sim.SimSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a host sees, on real threads. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EmbeddingTest {
    private static final Config QUIET = ConfigFactory.parseString("pekko { loglevel = OFF, jvm-shutdown-hooks = off }")
            .withFallback(ConfigFactory.load());
    private static final int N = 4;
    private static final long BYTES = N * 4L;

    private Baton baton;
    private SimDriver driver;
    private DeviceClient device;

    @BeforeEach
    void open() throws Exception {
        baton = Baton.start(QUIET);
        driver = new SimDriver(SimSettings.defaults());
        device = baton.open("gpu", driver);
        device.register(new CallableSpec("add", "add_const", Signature.of(Role.IN, Role.OUT, Role.SCALAR)));
    }

    @AfterEach
    void close() {
        driver.control().releaseAll();
        baton.close();
        assertThat(driver.control().violations()).isEmpty();
    }

    private static <T> T got(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    private BufferHandle floats(String label, float... values) {
        BufferHandle b = got(device.allocate(label, values.length * 4L));
        device.write(label, b, 0, HostBytes.ofFloats(values));
        return b;
    }

    private float[] values(BufferHandle b) {
        return got(device.read("read", b, 0, BYTES, When.LATER)).toFloats();
    }

    private static RunRequest add(String name, BufferHandle from, BufferHandle to) {
        return RunRequest.of("add")
                .named(name)
                .tensor(from.tensor(DataType.F32, N))
                .tensor(to.tensor(DataType.F32, N))
                .scalar(1)
                .build();
    }

    private static void untilTrue(String what, java.util.concurrent.Callable<Boolean> condition) {
        Awaitility.await(what).atMost(Duration.ofSeconds(60)).until(condition);
    }

    private static <T extends Throwable> T problem(CompletionStage<?> stage, Class<T> kind) {
        try {
            got(stage);
        } catch (CompletionException e) {
            Throwable cause = e.getCause();
            if (kind.isInstance(cause)) {
                return kind.cast(cause);
            }
            throw e;
        }
        throw new AssertionError("it succeeded");
    }

    @Test
    void aRunAndItsResult() {
        BufferHandle x = floats("x", 1, 2, 3, 4);
        BufferHandle y = got(device.allocate("y", BYTES));
        Submission a = device.submit(add("A", x, y));
        assertThat(got(a.accepted()).name()).isEqualTo("A");
        assertThat(got(a.result()).failure()).isNull();
        assertThat(values(y)).containsExactly(2, 3, 4, 5);
        got(device.free(y));
        assertThat(got(device.status()).device()).isEqualTo("gpu");
    }

    @Test
    void whatOneThreadSendsFirstIsDecidedFirst() {
        BufferHandle x = floats("x", 1, 2, 3, 4);
        BufferHandle y = got(device.allocate("y", BYTES));
        driver.control().hold("A", Point.EXECUTE);
        Submission a = device.submit(add("A", x, y));
        RefusedException refused = problem(device.free(y), RefusedException.class);
        assertThat(refused.refusal().code()).isEqualTo(RefusalCode.IN_USE);
        assertThat(refused).hasMessageContaining("y").hasMessageContaining("A");
        CompletionStage<?> idle = device.freeWhenIdle(y);
        driver.control().go("A", Point.EXECUTE);
        got(a.result());
        got(idle);
        assertThat(problem(device.free(y), RefusedException.class).refusal().code())
                .isEqualTo(RefusalCode.UNKNOWN_BUFFER);
    }

    @Test
    void everyOtherCommandHasItsMethod() {
        BufferHandle x = floats("x", 1, 2, 3, 4);
        BufferHandle y = got(device.allocate("y", BYTES));
        got(device.copy("copy", x, 0, y, 0, BYTES));
        got(device.fill("fill", y, 4, 2, Scalar.f32(9)));
        assertThat(values(y)).containsExactly(1, 9, 9, 4);
        Submission held = device.submit(RunRequest.of("add")
                .named("held")
                .held()
                .tensor(x.tensor(DataType.F32, N))
                .tensor(y.tensor(DataType.F32, N))
                .scalar(1)
                .build());
        got(device.activate(new RunName("held")));
        got(held.result());
        Submission abandoned = device.submit(RunRequest.of("add")
                .named("abandoned")
                .held()
                .tensor(x.tensor(DataType.F32, N))
                .tensor(y.tensor(DataType.F32, N))
                .scalar(1)
                .build());
        got(device.abandon(new RunName("abandoned")));
        RunFailedException failed = problem(abandoned.result(), RunFailedException.class);
        assertThat(failed.failure().reason()).isEqualTo(FailureReason.ABANDONED);
        assertThat(failed.run()).isEqualTo(got(abandoned.accepted()).run());
        got(device.revalidate(y));
        assertThat(values(y)).containsExactly(2, 3, 4, 5);
        got(device.giveBack(got(device.leaseSlot(0)).lease()));
        BufferHandle host = got(device.adopt("host", java.nio.ByteBuffer.allocateDirect(16)));
        got(device.free(host));
        got(device.unregister("add"));
        got(device.drain());
        long before = got(device.status()).epoch();
        assertThat(got(device.reset()).epoch()).isNotEqualTo(before);
        assertThat(got(device.close()).stillAllocated()).isEmpty();
        assertThat(problem(device.allocate("late", 4), RefusedException.class)
                        .refusal()
                        .code())
                .isEqualTo(RefusalCode.CLOSED);
    }

    @Test
    void aRejectedRunFailsBothStagesAndAFailedOneItsResult() {
        BufferHandle x = floats("x", 1, 2, 3, 4);
        BufferHandle y = got(device.allocate("y", BYTES));
        Submission rejected = device.submit(RunRequest.of("unknown").build());
        assertThat(problem(rejected.accepted(), RefusedException.class)
                        .refusal()
                        .code())
                .isEqualTo(RefusalCode.UNKNOWN_CALLABLE);
        problem(rejected.result(), RefusedException.class);
        driver.control().fail("B", Point.EXECUTE, Fault.ERROR);
        Submission failed = device.submit(add("B", x, y));
        assertThat(problem(failed.result(), RunFailedException.class))
                .hasMessageContaining("run B failed EXECUTION_FAILED");
    }

    @Test
    void memoryThatTheDeviceHasNotIsAFailedOperation() {
        OperationFailedException e = problem(device.allocate("huge", 1L << 50), OperationFailedException.class);
        assertThat(e.failure()).isEqualTo(OperationFailure.OUT_OF_MEMORY);
        assertThat(e).hasMessageContaining("huge");
    }

    @Test
    void anAllocationWhoseWaiterGaveUpIsGivenBack() {
        driver.control().holdCall("slow");
        CompletableFuture<BufferHandle> slow = device.allocate("slow", BYTES).toCompletableFuture();
        untilTrue("the call stands", () -> !driver.control().held().isEmpty());
        assertThat(slow.cancel(false)).isTrue();
        driver.control().goCall("slow");
        untilTrue(
                "it is given back",
                () -> driver.control().liveAllocations() == 0
                        && got(device.status()).buffers().isEmpty());
    }

    @Test
    void aScopeFreesWhenIdleWhatWasAllocatedInItAlsoWhatComesLater() {
        BufferHandle x = floats("x", 1, 2, 3, 4);
        driver.control().hold("A", Point.EXECUTE);
        Scope kept;
        Submission a;
        try (Scope scope = device.scope()) {
            kept = scope;
            BufferHandle y = got(scope.allocate("y", BYTES));
            a = device.submit(add("A", x, y));
            BufferHandle mine = got(scope.allocate("freed-by-hand", BYTES));
            got(device.free(mine));
            driver.control().holdCall("late");
            scope.allocate("late", BYTES);
            scope.allocate("impossible", 1L << 50);
        }
        assertThatThrownBy(() -> kept.allocate("after", 4))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(kept.freed().toCompletableFuture()).isNotDone();
        driver.control().goCall("late");
        driver.control().go("A", Point.EXECUTE);
        got(a.result());
        got(kept.freed());
        assertThat(driver.control().liveAllocations()).isEqualTo(1);
    }

    @Test
    void whatAnOwnerLeavesBehindIsFreedWhenIdle() {
        ActorRef<String> owner = baton.system()
                .systemActorOf(Behaviors.receiveMessage(m -> Behaviors.stopped()), "owner", Props.empty());
        BufferHandle x = floats("x", 1, 2, 3, 4);
        BufferHandle y = got(device.allocate("y", BYTES, owner));
        got(device.free(got(device.allocate("freed-by-hand", BYTES, owner))));
        driver.control().hold("A", Point.EXECUTE);
        Submission a = device.submit(add("A", x, y));
        got(a.accepted());
        owner.tell("stop");
        untilTrue("the free waits", () -> {
            RefusedException refused = problem(device.free(y), RefusedException.class);
            return refused.refusal().code() == RefusalCode.RELEASE_PENDING;
        });
        driver.control().go("A", Point.EXECUTE);
        got(a.result());
        untilTrue("it is freed", () -> driver.control().liveAllocations() == 1);
    }

    @Test
    void aChainInOneExpressionLeavesOnlyItsResult() {
        BufferHandle x = floats("x", 1, 2, 3, 4);
        BufferHandle w = got(device.chain(x, DataType.F32, N)
                .then("add", 1)
                .then("add", 2)
                .then("add", 3)
                .submit());
        assertThat(values(w)).containsExactly(7, 8, 9, 10);
        untilTrue("the intermediates are freed", () -> driver.control().liveAllocations() == 2);
        assertThatThrownBy(() -> device.chain(x, DataType.F32, N).submit())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("then");
    }

    @Test
    void aChainThatFailsTellsTheFirstFailureAndLeavesNothing() {
        BufferHandle x = floats("x", 1, 2, 3, 4);
        driver.control().fail("add-2", Point.EXECUTE, Fault.ERROR);
        RunFailedException e = problem(
                device.chain(x, DataType.F32, N)
                        .then("add", 1)
                        .then("add", 2)
                        .then("add", 3)
                        .submit(),
                RunFailedException.class);
        assertThat(e.failure().reason()).isEqualTo(FailureReason.EXECUTION_FAILED);
        untilTrue("nothing is left", () -> driver.control().liveAllocations() == 1);
        problem(
                device.chain(x, DataType.F32, 1L << 40)
                        .then("add", 1)
                        .then("add", 2)
                        .submit(),
                OperationFailedException.class);
        untilTrue("nothing is left", () -> driver.control().liveAllocations() == 1);
    }

    @Test
    void eventsAreHeardUntilTheTapIsClosedAlsoAfterTheListenerThrew() {
        ConcurrentLinkedQueue<DeviceEvent> events = new ConcurrentLinkedQueue<>();
        EventTap tap = got(device.subscribe(e -> {
            events.add(e);
            throw new IllegalStateException("a listener's own fault");
        }));
        BufferHandle x = floats("x", 1, 2, 3, 4);
        BufferHandle y = got(device.allocate("y", BYTES));
        got(device.submit(add("A", x, y)).result());
        untilTrue("the end is heard", () -> events.stream().anyMatch(e -> e instanceof DeviceEvent.RunEnded));
        tap.close();
        int heard = events.size();
        got(device.submit(add("B", x, y)).result());
        got(device.drain());
        assertThat(events).hasSize(heard);
    }

    @Test
    void endingTheSystemAnswersWhatIsOwedAndWhatIsAskedLater() {
        BufferHandle x = floats("x", 1, 2, 3, 4);
        driver.control().holdCall("stuck");
        CompletableFuture<BufferHandle> stuck = device.allocate("stuck", BYTES).toCompletableFuture();
        untilTrue("the call stands", () -> !driver.control().held().isEmpty());
        CompletableFuture<Void> ended = CompletableFuture.runAsync(baton::close);
        assertThatThrownBy(() -> got(stuck)).hasCauseInstanceOf(RuntimeException.class);
        driver.control().goCall("stuck");
        ended.join();
        for (CompletionStage<?> late : List.of(
                device.allocate("late", 4), device.submit(add("late", x, x)).result(), device.status())) {
            assertThat(problem(late, IllegalStateException.class)).hasMessageContaining("the actor system has ended");
        }
    }

    @Test
    void oneExtensionForEachSystemAndSeveralDevicesInOne() throws Exception {
        ActorSystem<Void> host = ActorSystem.create(Behaviors.empty(), "host", QUIET);
        try {
            Baton mine = Baton.in(host);
            assertThat(Baton.in(host)).isSameAs(mine);
            DeviceClient one = mine.open("one", new SimDriver(SimSettings.defaults()));
            mine.open(
                    "two",
                    new SimDriver(SimSettings.defaults()),
                    DeviceSettings.defaults().withDepth(3));
            assertThat(mine.devices()).containsExactly("one", "two");
            assertThat(mine.device("one")).contains(one);
            assertThat(mine.device("three")).isEmpty();
            assertThatThrownBy(() -> mine.open("one", new SimDriver(SimSettings.defaults())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'one' is open already");
            mine.close();
            assertThat(problem(one.allocate("late", 4), RefusedException.class)
                            .refusal()
                            .code())
                    .isEqualTo(RefusalCode.CLOSED);
        } finally {
            host.terminate();
            got(host.getWhenTerminated());
        }
    }

    @Test
    void settingsComeFromTheConfiguration() throws Exception {
        Config reference = QUIET.getConfig("baton.device");
        assertThat(DeviceSettings.of(reference)).isEqualTo(DeviceSettings.defaults());
        DeviceSettings other =
                DeviceSettings.of(ConfigFactory.parseString("depth = 5, close-timeout = 3s, call-limit = 250ms")
                        .withFallback(reference));
        assertThat(other.depth()).isEqualTo(5);
        assertThat(other.closeTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(other.callLimit()).isEqualTo(Duration.ofMillis(250));
        assertThatThrownBy(() ->
                        DeviceSettings.of(ConfigFactory.parseString("depth = 0").withFallback(reference)))
                .hasMessageContaining("depth=0");
    }
}
