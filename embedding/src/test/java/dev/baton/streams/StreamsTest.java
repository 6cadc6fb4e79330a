package dev.baton.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.baton.context.DeviceSettings;
import dev.baton.embedding.Baton;
import dev.baton.embedding.DeviceClient;
import dev.baton.embedding.RunFailedException;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand.When;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import dev.baton.sim.Fault;
import dev.baton.sim.Point;
import dev.baton.sim.SimDriver;
import dev.baton.sim.SimSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StreamsTest {
    private static final Config QUIET = ConfigFactory.parseString("pekko { loglevel = OFF, jvm-shutdown-hooks = off }")
            .withFallback(ConfigFactory.load());
    private static final long MEMORY = 64 << 10;

    private Baton baton;
    private ActorSystem<?> system;
    private SimDriver driver;
    private DeviceClient device;

    @BeforeEach
    void open() throws Exception {
        baton = Baton.start(QUIET);
        system = baton.system();
        driver = new SimDriver(SimSettings.defaults().memory(MEMORY));
        device = baton.open("gpu", driver, DeviceSettings.defaults().withQueue(3));
        device.register(new CallableSpec("inc", "inc", Signature.of(Role.INOUT, Role.SCALAR)));
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

    private static RunRequest inc(BufferHandle x, int number) {
        return RunRequest.of("inc")
                .named("inc-" + number)
                .tensor(x.tensor(DataType.F32, 1))
                .scalar(1)
                .build();
    }

    private BufferHandle zero() {
        BufferHandle x = got(device.allocate("x", 4));
        got(device.write("zero", x, 0, HostBytes.ofFloats(0)));
        return x;
    }

    @Test
    void resultsComeInOrderAndAFullQueueHoldsUpstream() {
        BufferHandle x = zero();
        int runs = 500;
        // the device takes 2 + 3 runs; the stream would like 64
        List<RunReply.Finished> results = got(Source.range(1, runs)
                .map(i -> inc(x, i))
                .via(RunFlow.of(system, device, 64))
                .runWith(Sink.seq(), system));
        assertThat(results.stream().map(RunReply.Finished::name))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, runs).mapToObj(i -> "inc-" + i).toList());
        assertThat(got(device.read("x", x, 0, 4, When.NOW)).toFloats()).containsExactly(runs);
    }

    @Test
    void noMoreThanInFlightAreAskedForWhileTheDeviceStands() {
        BufferHandle x = zero();
        driver.control().hold("inc-1", Point.EXECUTE);
        AtomicInteger pulled = new AtomicInteger();
        CompletionStage<List<RunReply.Finished>> results = Source.range(1, 50)
                .map(i -> {
                    pulled.incrementAndGet();
                    return inc(x, i);
                })
                .via(RunFlow.of(system, device, 2))
                .runWith(Sink.seq(), system);
        Awaitility.await().until(() -> !driver.control().held().isEmpty() && pulled.get() >= 3);
        got(device.status());
        // two in flight, one accepted that waits for them, and what the stages between hold
        assertThat(pulled.get()).isLessThanOrEqualTo(5);
        driver.control().go("inc-1", Point.EXECUTE);
        assertThat(got(results)).hasSize(50);
    }

    @Test
    void aFailureIsTheStreamsOwnOrAnOutcome() {
        BufferHandle x = zero();
        driver.control().fail("inc-3", Point.EXECUTE, Fault.ERROR);
        CompletionStage<List<RunReply.Finished>> failing = Source.range(1, 5)
                .map(i -> inc(x, i))
                .via(RunFlow.of(system, device, 1))
                .runWith(Sink.seq(), system);
        assertThatThrownBy(() -> got(failing))
                .hasCauseInstanceOf(RunFailedException.class)
                .hasMessageContaining("inc-3");
        got(device.drain());
        got(device.write("zero", x, 0, HostBytes.ofFloats(0)));
        driver.control().fail("inc-3", Point.EXECUTE, Fault.ERROR);
        List<Outcome> outcomes = got(Source.range(1, 4)
                .map(i -> i == 4 ? RunRequest.of("unknown").build() : inc(x, i))
                .via(RunFlow.goingOn(system, device, 2))
                .runWith(Sink.seq(), system));
        assertThat(outcomes).hasSize(4);
        assertThat(outcomes.get(1).completed()).isTrue();
        assertThat(outcomes.get(2).failure())
                .isInstanceOfSatisfying(
                        RunFailedException.class,
                        e -> assertThat(e.failure().reason()).isEqualTo(FailureReason.EXECUTION_FAILED));
        assertThat(outcomes.get(3).failure()).hasMessageContaining("UNKNOWN_CALLABLE");
        assertThat(outcomes.get(3).request().callable()).isEqualTo("unknown");
    }

    @Test
    void eventsAreASourceAndACancelledStreamIsUnsubscribed() {
        BufferHandle x = zero();
        CompletionStage<DeviceEvent> ended = EventSource.of(device, 256)
                .filter(e -> e instanceof DeviceEvent.RunEnded r && r.name().equals("inc-7"))
                .runWith(Sink.head(), system);
        // the subscription is under way while the runs are submitted: go on until it has heard one
        Awaitility.await().until(() -> {
            got(device.submit(inc(x, 7)).result());
            return ended.toCompletableFuture().isDone();
        });
        assertThat(got(ended)).isInstanceOf(DeviceEvent.RunEnded.class);
    }

    @Test
    void aLargeInputGoesThroughASmallDeviceInPieces() {
        int elements = 256;
        int pieces = 200;
        List<HostBytes> input = new ArrayList<>();
        float[] wanted = new float[elements * pieces + 3];
        for (int p = 0; p <= pieces; p++) {
            float[] values = new float[p == pieces ? 3 : elements];
            for (int i = 0; i < values.length; i++) {
                values[i] = p * elements + i;
                wanted[p * elements + i] = values[i] + 3;
            }
            input.add(HostBytes.ofFloats(values));
        }
        PieceFlow chain = new PieceFlow(
                device, DataType.F32, elements, List.of(PieceFlow.Step.of("add", 1f), PieceFlow.Step.of("add", 2f)));
        List<HostBytes> results = got(Source.from(input)
                .via(chain.flow(2))
                .toMat(Sink.seq(), Keep.right())
                .run(system));
        float[] all = new float[wanted.length];
        int at = 0;
        for (HostBytes r : results) {
            float[] values = r.toFloats();
            System.arraycopy(values, 0, all, at, values.length);
            at += values.length;
        }
        assertThat(all).containsExactly(wanted);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> driver.control().liveAllocations() == 0);
    }

    @Test
    void aPieceThatFailsFailsTheStreamAndLeavesNothing() {
        driver.control().fail("add-1", Point.EXECUTE, Fault.ERROR);
        PieceFlow chain = new PieceFlow(
                device, DataType.F32, 4, List.of(PieceFlow.Step.of("add", 1f), PieceFlow.Step.of("add", 2f)));
        CompletionStage<List<HostBytes>> results = Source.range(0, 9)
                .map(i -> HostBytes.ofFloats(i, i, i, i))
                .via(chain.flow(2))
                .runWith(Sink.seq(), system);
        assertThatThrownBy(() -> got(results))
                .hasCauseInstanceOf(RunFailedException.class)
                .hasMessageContaining("run add-1 failed EXECUTION_FAILED");
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> driver.control().liveAllocations() == 0);
        CompletionStage<List<HostBytes>> wrong =
                Source.single(HostBytes.copyOf(new byte[18])).via(chain.flow(2)).runWith(Sink.seq(), system);
        assertThatThrownBy(() -> got(wrong)).hasMessageContaining("piece 0 has 18 bytes");
        assertThatThrownBy(() -> new PieceFlow(device, DataType.F32, 4, List.of()))
                .hasMessageContaining("at least one step");
        assertThatThrownBy(() -> new PieceFlow(device, DataType.F32, 0, List.of(PieceFlow.Step.of("add", 1f))))
                .hasMessageContaining("elements=0");
    }
}
