package dev.baton.testkit.failure;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.baton.context.DeviceSettings;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.Health;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.OperationFailure;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunPhase;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import dev.baton.protocol.driver.DriverException;
import dev.baton.runtime.ThreadRuntime;
import dev.baton.sim.Misbehaving;
import dev.baton.sim.Misbehaving.Call;
import dev.baton.sim.Point;
import dev.baton.sim.SimDriver;
import dev.baton.sim.SimSettings;
import dev.baton.supervision.Devices;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Drivers that break their side of the contract: each breach is handled, and named in the answer. On real threads. */
class MisbehavingDriverTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final ThreadRuntime RUNTIME = new ThreadRuntime();
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final ActorSystem<Void> SYSTEM = ActorSystem.create(
            Behaviors.empty(),
            "misbehaving",
            ConfigFactory.parseString("pekko { loglevel = OFF, stdout-loglevel = OFF, jvm-shutdown-hooks = off }")
                    .withFallback(ConfigFactory.load()));

    private final SimDriver sim = new SimDriver(SimSettings.defaults());
    private final AtomicReference<@org.jspecify.annotations.Nullable Misbehaving> opened = new AtomicReference<>();

    @AfterAll
    static void end() {
        SYSTEM.terminate();
        SYSTEM.getWhenTerminated().toCompletableFuture().join();
        RUNTIME.close();
    }

    private ActorRef<DeviceCommand> open(SimDriver driver, DeviceSettings settings) throws Exception {
        ActorRef<DeviceCommand> door;
        try {
            door = Devices.open(
                    SYSTEM,
                    "m" + NAMES.incrementAndGet(),
                    Misbehaving.driver(driver, opened::set),
                    RUNTIME,
                    settings.withCloseTimeout(Duration.ofMillis(100)));
        } catch (DriverException e) {
            throw new AssertionError(e);
        }
        this.<Reply.RegisterReply>ask(
                door,
                to -> new DeviceCommand.Register(
                        new CallableSpec("inc", "inc", Signature.of(Role.INOUT, Role.SCALAR)), to));
        return door;
    }

    private ActorRef<DeviceCommand> open() throws Exception {
        return open(sim, DeviceSettings.defaults());
    }

    private Misbehaving bad() {
        return java.util.Objects.requireNonNull(opened.get());
    }

    private <T> T ask(ActorRef<DeviceCommand> door, Function<ActorRef<T>, DeviceCommand> c) throws Exception {
        return AskPattern.<DeviceCommand, T>ask(door, c::apply, LIMIT, SYSTEM.scheduler())
                .toCompletableFuture()
                .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private Reply allocate(ActorRef<DeviceCommand> door, String name) throws Exception {
        return this.<Reply.AllocateReply>ask(door, to -> new DeviceCommand.Allocate(name, 64, to));
    }

    private BufferHandle buffer(ActorRef<DeviceCommand> door, String name) throws Exception {
        return ((Reply.Allocated) allocate(door, name)).buffer();
    }

    /** All answers of a run, once it has ended. */
    private List<RunReply> run(ActorRef<DeviceCommand> door, BufferHandle x) {
        List<RunReply> answers = new CopyOnWriteArrayList<>();
        ActorRef<RunReply> to = SYSTEM.systemActorOf(
                Behaviors.<RunReply>receiveMessage(r -> {
                    answers.add(r);
                    return Behaviors.same();
                }),
                "run-" + NAMES.incrementAndGet(),
                Props.empty());
        door.tell(new DeviceCommand.Submit(
                RunRequest.of("inc")
                        .named("A")
                        .tensor(x.tensor(DataType.F32, 1))
                        .scalar(1)
                        .build(),
                to));
        Awaitility.await().atMost(LIMIT).until(() -> answers.size() >= 2);
        return answers;
    }

    private RunFailure failure(ActorRef<DeviceCommand> door, BufferHandle x) {
        RunFailure f = ((RunReply.Finished) run(door, x).get(1)).failure();
        if (f == null) {
            throw new AssertionError("the run completed");
        }
        return f;
    }

    private Health health(ActorRef<DeviceCommand> door) throws Exception {
        return this.<DeviceStatus>ask(door, DeviceCommand.GetStatus::new).health();
    }

    @ParameterizedTest
    @CsvSource({
        "BEGIN, PREPARE_FAILED, OPEN",
        "EMIT, PREPARE_FAILED, OPEN",
        "PREPARE, PREPARE_FAILED, OPEN",
        "LAUNCH, LAUNCH_FAILED, OPEN",
        "AWAIT, COMPLETION_UNKNOWN, POISONED",
        "FINALIZE, UNPROVEN, POISONED",
    })
    void anErrorThrownForARunIsThatRunsFailureAndIsNamed(Call call, FailureReason reason, Health health)
            throws Exception {
        for (Error error :
                List.of(new UnsatisfiedLinkError("no such symbol"), new StackOverflowError("no such symbol"))) {
            ActorRef<DeviceCommand> door = open();
            BufferHandle x = buffer(door, "x");
            bad().throwIn(call, error);
            RunFailure f = failure(door, x);
            assertThat(f.reason()).isEqualTo(reason);
            assertThat(f.message()).contains(error.getClass().getSimpleName() + ": no such symbol");
            assertThat(health(door)).isEqualTo(health);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"ALLOCATE", "FREE", "WRITE", "READ"})
    void anErrorThrownInAMemoryCallIsItsAnswer(Call call) throws Exception {
        ActorRef<DeviceCommand> door = open();
        BufferHandle x = buffer(door, "x");
        bad().throwIn(call, new UnsatisfiedLinkError("no such symbol"));
        Reply reply = switch (call) {
            case ALLOCATE -> allocate(door, "y");
            case FREE -> this.<Reply.FreeReply>ask(door, to -> new DeviceCommand.Free(x, to));
            case WRITE ->
                this.<Reply.WriteReply>ask(door, to -> new DeviceCommand.Write("w", x, 0, HostBytes.ofFloats(1), to));
            default ->
                this.<Reply.ReadReply>ask(door, to -> new DeviceCommand.Read("r", x, 0, 4, DeviceCommand.When.NOW, to));
        };
        assertThat(reply).isInstanceOf(Reply.Failed.class);
        assertThat(((Reply.Failed) reply).message()).contains("UnsatisfiedLinkError: no such symbol");
        assertThat(health(door)).isEqualTo(Health.OPEN);
        if (call == Call.FREE) {
            bad().behave();
            Reply again = this.<Reply.FreeReply>ask(door, to -> new DeviceCommand.Free(x, to));
            assertThat(((Reply.Refused) again).refusal().code()).isEqualTo(RefusalCode.QUARANTINED);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "BEGIN, PREPARE_FAILED, begin, OPEN",
        "PREPARE, CLEANUP_FAILED, prepare, POISONED",
        "AWAIT, COMPLETION_UNKNOWN, await, POISONED",
        "FINALIZE, UNPROVEN, finalize, POISONED",
    })
    void nullIsAFailureThatNamesTheCall(Call call, FailureReason reason, String name, Health health) throws Exception {
        ActorRef<DeviceCommand> door = open();
        BufferHandle x = buffer(door, "x");
        bad().returnNull(call);
        RunFailure f = failure(door, x);
        assertThat(f.reason()).isEqualTo(reason);
        assertThat(f.message()).contains("the driver's " + name + " returned null");
        assertThat(health(door)).isEqualTo(health);
    }

    @Test
    void aResetThatReturnsNullOrThrowsIsNotProven() throws Exception {
        ActorRef<DeviceCommand> door = open();
        bad().returnNull(Call.RESET);
        Reply first = this.<Reply.ResetReply>ask(door, DeviceCommand.Reset::new);
        assertThat(((Reply.Failed) first).failure()).isEqualTo(OperationFailure.RESET_FAILED);
        assertThat(((Reply.Failed) first).message()).contains("reset returned null");
        bad().behave();
        bad().throwIn(Call.RESET, new UnsatisfiedLinkError("no such symbol"));
        Reply second = this.<Reply.ResetReply>ask(door, DeviceCommand.Reset::new);
        assertThat(((Reply.Failed) second).message()).contains("UnsatisfiedLinkError");
        bad().behave();
        assertThat(this.<Reply.ResetReply>ask(door, DeviceCommand.Reset::new)).isInstanceOf(Reply.ResetDone.class);
    }

    /** Twice, never, late, and before launch returns: the run has one end, and the next one too. */
    @ParameterizedTest
    @EnumSource(Misbehaving.Listener.class)
    void howeverCompletionIsToldARunEndsOnce(Misbehaving.Listener how) throws Exception {
        SimDriver inline = new SimDriver(SimSettings.defaults().nonBlocking(true));
        ActorRef<DeviceCommand> door = open(inline, DeviceSettings.defaults());
        bad().listener(how);
        BufferHandle x = buffer(door, "x");
        List<RunReply> first = run(door, x);
        List<RunReply> second = run(door, x);
        assertThat(this.<Reply.FreeReply>ask(door, to -> new DeviceCommand.Free(x, to)))
                .isInstanceOf(Reply.Released.class);
        for (List<RunReply> answers : List.of(first, second)) {
            assertThat(answers).hasSize(2);
            assertThat(((RunReply.Finished) answers.get(1)).failure()).isNull();
        }
        assertThat(inline.control().violations()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PREPARE", "LAUNCH", "FINALIZE"})
    void aCallThatAnswersAfterItsLimitOrNeverIsNamedAndItsLateAnswerChangesNothing(String at) throws Exception {
        ActorRef<DeviceCommand> door = open(sim, DeviceSettings.defaults().withCallLimit(Duration.ofMillis(200)));
        BufferHandle x = buffer(door, "x");
        Point point = Point.valueOf(at);
        sim.control().hold("A", point);
        List<RunReply> answers = run(door, x);
        RunFailure f = java.util.Objects.requireNonNull(((RunReply.Finished) answers.get(1)).failure());
        assertThat(f.reason()).isEqualTo(FailureReason.UNPROVEN);
        assertThat(f.operation()).isEqualTo(point.label());
        assertThat(f.message()).contains("the driver's " + point.label() + " of run A did not return within");
        DeviceStatus stuck = this.<DeviceStatus>ask(door, DeviceCommand.GetStatus::new);
        assertThat(stuck.quarantinedThreads()).isEqualTo(1);
        sim.control().go("A", point);
        Awaitility.await().atMost(LIMIT).until(() -> sim.control().held().isEmpty());
        Reply free = this.<Reply.FreeReply>ask(door, to -> new DeviceCommand.Free(x, to));
        assertThat(((Reply.Refused) free).refusal().code()).isEqualTo(RefusalCode.UNPROVEN);
        assertThat(answers).hasSize(2);
        assertThat(health(door)).isEqualTo(Health.POISONED);
    }

    @Test
    void memoryThatOverlapsARecordedAllocationFailsTheDevice() throws Exception {
        ActorRef<DeviceCommand> door = open();
        bad().overlappingAllocations();
        buffer(door, "x");
        Reply second = allocate(door, "y");
        assertThat(second).isInstanceOf(Reply.Refused.class);
        assertThat(((Reply.Refused) second).refusal().code()).isEqualTo(RefusalCode.DEVICE_FAILED);
        assertThat(((Reply.Refused) second).refusal().message()).contains("overlap");
        assertThat(health(door)).isEqualTo(Health.FAILED);
    }

    @Test
    void aWordThatThrowsCostsTheRunNothingButTime() throws Exception {
        ActorRef<DeviceCommand> door = open(sim, DeviceSettings.defaults().withWaitStep(Duration.ofMillis(50)));
        BufferHandle x = buffer(door, "x");
        bad().throwIn(Call.INTERRUPT, new UnsatisfiedLinkError("no such symbol"));
        sim.control().hold("A", Point.EXECUTE);
        List<RunReply> answers = new CopyOnWriteArrayList<>();
        ActorRef<RunReply> to = SYSTEM.systemActorOf(
                Behaviors.<RunReply>receiveMessage(r -> {
                    answers.add(r);
                    return Behaviors.same();
                }),
                "run-" + NAMES.incrementAndGet(),
                Props.empty());
        door.tell(new DeviceCommand.Submit(
                RunRequest.of("inc")
                        .named("A")
                        .tensor(x.tensor(DataType.F32, 1))
                        .scalar(1)
                        .executionDeadline(Duration.ofMillis(100))
                        .build(),
                to));
        Awaitility.await().atMost(LIMIT).until(() -> !sim.control().held().isEmpty());
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> this.<DeviceStatus>ask(door, DeviceCommand.GetStatus::new).runs().stream()
                        .anyMatch(r -> r.phase() == RunPhase.FINALIZING));
        sim.control().releaseAll();
        Awaitility.await().atMost(LIMIT).until(() -> answers.size() == 2);
        assertThat(health(door)).isEqualTo(Health.POISONED);
    }
}
