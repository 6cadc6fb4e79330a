package dev.baton.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Failure follows the data (F1): chains, layers, healing by bytes, and what a client may say. */
class FollowTest {
    private static final int CHAIN = 30;

    private final Desk d = new Desk();
    private final BufferHandle x = d.allocate("x");
    private final BufferHandle y = d.allocate("y");
    private final BufferHandle z = d.allocate("z");

    private RunFailure failure(long token) {
        return Objects.requireNonNull(((RunReply.Finished) d.port.last(token)).failure());
    }

    private boolean isVoid(BufferHandle b) {
        return d.ledger.view().buffers().stream()
                .filter(s -> s.handle().equals(b))
                .findFirst()
                .orElseThrow()
                .isVoid();
    }

    private long half(String name, BufferHandle in, BufferHandle out, long offset) {
        return d.submit(RunRequest.of("copy")
                .named(name)
                .tensor(in.tensor(DataType.F32, 2))
                .tensor(dev.baton.protocol.Tensor.of(out, offset, DataType.F32, 2)));
    }

    /** As the lane does: asks, and discharges what the ledger fails. */
    private boolean begins(long token) {
        long run = d.run(token);
        d.port.failedAhead.remove(run);
        d.ledger.begin(run, 1, false, Long.MAX_VALUE);
        RunFailure failure = d.port.failedAhead.get(run);
        if (failure != null) {
            d.ledger.discharge(run, new RunEnd(failure, true, false, false, true, List.of(), List.of()), 0);
        }
        return failure == null;
    }

    @Test
    void downAChainOfAnyLengthTheFirstCauseIsToldAndDoesNotGrow() {
        for (boolean atRetirement : new boolean[] {false, true}) {
            Desk c = new Desk(new LedgerLimits(2, 64, 16, 16, 64, 16, 4));
            List<BufferHandle> buffers = new ArrayList<>();
            for (int i = 0; i <= CHAIN; i++) {
                buffers.add(c.allocate("b" + i));
            }
            List<Long> runs = new ArrayList<>();
            for (int i = 0; i < CHAIN; i++) {
                runs.add(c.copy("R" + (i + 10), buffers.get(i), buffers.get(i + 1)));
            }
            c.fail(runs.get(0), FailureReason.EXECUTION_FAILED, true);
            int length = 0;
            for (int i = 1; i < CHAIN; i++) {
                long token = runs.get(i);
                if (atRetirement) {
                    c.complete(token);
                } else {
                    c.ledger.begin(c.run(token), 1, false, Long.MAX_VALUE);
                    RunFailure told = Objects.requireNonNull(c.port.failedAhead.get(c.run(token)));
                    c.ledger.discharge(
                            c.run(token), new RunEnd(told, true, false, false, true, List.of(), List.of()), 0);
                }
                RunFailure f = Objects.requireNonNull(((RunReply.Finished) c.port.last(token)).failure());
                assertThat(f.reason()).isEqualTo(FailureReason.PREDECESSOR_FAILED);
                assertThat(Objects.requireNonNull(f.by()).name()).isEqualTo("R" + (i + 9));
                assertThat(f.message()).contains("run R10 failed EXECUTION_FAILED at test: it failed");
                length = length == 0 ? f.message().length() : length;
                assertThat(f.message().length()).as("run %d of the chain", i).isLessThan(length + 10);
            }
        }
    }

    @Test
    void anInOutRunBetweenDoesNotHealButFailsItself() {
        long a = d.copy("A", x, y);
        long b = d.submit(Desk.incRequest("B", y));
        long c = d.copy("C", y, z);
        d.fail(a, FailureReason.LAUNCH_FAILED, true);
        d.complete(b);
        assertThat(Objects.requireNonNull(failure(b).by()).name()).isEqualTo("A");
        d.complete(c);
        assertThat(Objects.requireNonNull(failure(c).by()).name()).isEqualTo("B");
    }

    @Test
    void healingIsByBytes() {
        d.fail(d.copy("A", x, y), FailureReason.EXECUTION_FAILED, true);
        d.complete(half("W", x, y, 0));
        assertThat(isVoid(y)).isTrue();
        long good = d.submit(RunRequest.of("copy")
                .named("G")
                .tensor(y.tensor(DataType.F32, 2))
                .tensor(z.tensor(DataType.F32, 2)));
        d.complete(good);
        assertThat(d.port.code(good)).isEqualTo("COMPLETED");
        long bad = d.copy("B", y, z);
        d.complete(bad);
        assertThat(d.port.code(bad)).isEqualTo("PREDECESSOR_FAILED");
        d.complete(half("W2", x, y, 8));
        assertThat(isVoid(y)).isFalse();
    }

    @Test
    void aRunBetweenThatFailsTooIsTheOneThatIsNamedAndOneThatIsAbandonedToo() {
        long a = d.copy("A", x, y);
        long w = d.copy("W", x, y);
        long b = d.copy("B", y, z);
        d.fail(a, FailureReason.EXECUTION_FAILED, true);
        assertThat(begins(b)).as("W may still write it").isTrue();
        d.fail(w, FailureReason.ABANDONED, false);
        d.complete(b);
        assertThat(Objects.requireNonNull(failure(b).by()).name()).isEqualTo("W");
    }

    @Test
    void anEndDecidedBeforeStandsAgainstAFailedPredecessorAndARunsOwnDoesNot() {
        long a = d.copy("A", x, y);
        long b = d.copy("B", y, z);
        long c = d.copy("C", y, z);
        d.fail(a, FailureReason.EXECUTION_FAILED, true);
        d.fail(c, FailureReason.EXECUTION_FAILED, true);
        assertThat(d.port.code(c)).isEqualTo("PREDECESSOR_FAILED");
        RunFailure abandoned = new RunFailure(FailureReason.ABANDONED, null, "abandon", "it was");
        d.ledger.discharge(d.run(b), new RunEnd(abandoned, true, false, false, true, List.of(), List.of()), 0);
        assertThat(d.port.code(b)).isEqualTo("ABANDONED");
    }

    @Test
    void revalidateGoesOnWithOldContentUnlessARunMayHaveTouchedIt() {
        DeviceCommand revalidate = new DeviceCommand.Revalidate(y, Desk.nobody());
        assertThat(d.port.code(d.say(revalidate))).isEqualTo("NOT_VOID");
        d.fail(d.copy("A", x, y), FailureReason.BUILD_FAILED, false);
        assertThat(d.port.code(d.say(revalidate))).isEqualTo("Revalidated");
        assertThat(d.port.code(d.say(revalidate))).isEqualTo("NOT_VOID");
        d.fail(d.copy("B", x, y), FailureReason.EXECUTION_FAILED, true);
        d.fail(d.copy("C", x, y), FailureReason.BUILD_FAILED, false);
        assertThat(d.port.code(d.say(revalidate)))
                .as("a later void hides no touch")
                .isEqualTo("TOUCHED");
        d.write("w", y, 0, 1, 2, 3, 4);
        d.answerIo(IoCall.Done.INSTANCE);
        assertThat(d.port.code(d.say(revalidate))).isEqualTo("NOT_VOID");
        d.free(y);
        assertThat(d.port.code(d.say(revalidate))).isEqualTo("RELEASE_PENDING");
    }

    @Test
    void manyFailuresOfOneProducerKeepOneIntervalNotOnePerRun() {
        for (int i = 0; i < 200; i++) {
            long a = d.copy("A" + i, x, y);
            assertThat(begins(a)).isTrue();
            d.fail(a, FailureReason.EXECUTION_FAILED, true);
        }
        long b = d.copy("B", y, z);
        d.complete(b);
        assertThat(Objects.requireNonNull(failure(b).by()).name()).isEqualTo("A199");
        assertThat(failure(b).message()).hasSizeLessThan(400);
    }

    @Test
    void aPoisoningButProvenEndTellsWatchersOnceAndRefusesLaterRuns() {
        long a = d.copy("A", x, y);
        RunFailure f = new RunFailure(FailureReason.COMPLETION_UNKNOWN, null, "poll", "no answer");
        d.ledger.poisoned(d.run(a), f);
        assertThat(d.port.code(d.copy("B", x, z))).isEqualTo("POISONED");
        d.ledger.discharge(d.run(a), new RunEnd(f, true, true, true, false, List.of(), List.of()), 0);
        assertThat(d.port.events.stream().filter(e -> e instanceof dev.baton.protocol.DeviceEvent.Poisoned))
                .hasSize(1);
        assertThat(isVoid(y)).isTrue();
        long free = d.free(y);
        d.answerIo(IoCall.Done.INSTANCE);
        assertThat(d.port.last(free)).isInstanceOf(Reply.Released.class);
    }
}
