package dev.baton.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.Lease;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Tensor;
import org.junit.jupiter.api.Test;

/** The ledger's decisions, one step each. */
class LedgerTest {
    private final Desk d = new Desk();
    private final BufferHandle x = d.allocate("x");
    private final BufferHandle y = d.allocate("y");
    private final BufferHandle z = d.allocate("z");

    private String code(long token) {
        return d.port.code(token);
    }

    private DeviceStatus.BufferStatus status(BufferHandle buffer) {
        return d.ledger.view().buffers().stream()
                .filter(b -> b.handle().equals(buffer))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void freeIsRefusedWhileARunBorrowsAndNamesItsHolders() {
        long a = d.copy("A", x, y);
        long b = d.copy("B", y, z);
        long refused = d.free(y);
        assertThat(code(refused)).isEqualTo("IN_USE");
        assertThat(((Reply.Refused) d.port.last(refused)).refusal().by())
                .extracting(h -> h.name())
                .containsExactly("A", "B");
        d.complete(a);
        assertThat(code(d.free(y))).isEqualTo("IN_USE");
        d.complete(b);
        long free = d.free(y);
        assertThat(d.port.answered(free)).isFalse();
        assertThat(code(d.free(y))).isEqualTo("RELEASE_PENDING");
        d.answerIo(IoCall.Done.INSTANCE);
        assertThat(code(free)).isEqualTo("Released");
        assertThat(code(d.free(y))).isEqualTo("UNKNOWN_BUFFER");
    }

    @Test
    void freesAreRefusedInTheirOrderOfPrecedence() {
        assertThat(code(d.free(new BufferHandle("dev", 6, 1)))).isEqualTo("STALE_BUFFER");
        assertThat(code(d.free(new BufferHandle("other", 7, 1)))).isEqualTo("UNKNOWN_BUFFER");
        assertThat(code(d.free(new BufferHandle("dev", 7, 99)))).isEqualTo("UNKNOWN_BUFFER");
        assertThat(code(d.say(new DeviceCommand.Free(x, 4, DeviceCommand.When.NOW, Desk.nobody()))))
                .isEqualTo("UNKNOWN_BUFFER");
        long failing = d.free(z);
        d.answerIo(new IoCall.Failed("no"));
        assertThat(code(failing)).isEqualTo("FREE_FAILED");
        assertThat(code(d.free(z))).isEqualTo("QUARANTINED");
        d.loseIt(d.copy("A", x, y));
        assertThat(code(d.free(x))).isEqualTo("UNPROVEN");
        assertThat(code(d.freeWhenIdle(x))).isEqualTo("UNPROVEN");
    }

    @Test
    void aFreeWhenIdleIsAnsweredWhenTheLastHolderIsGone() {
        long a = d.copy("A", x, y);
        long free = d.freeWhenIdle(x);
        assertThat(code(d.copy("B", x, z))).isEqualTo("RELEASE_PENDING");
        d.complete(a);
        d.answerIo(IoCall.Done.INSTANCE);
        assertThat(code(free)).isEqualTo("Released");
    }

    @Test
    void aSubmitIsRefusedForTheFirstOfItsFaultsAndChangesNothing() {
        LedgerView before = d.ledger.view();
        Lease stale = new Lease("dev", 7, 0, 5);
        Tensor bad = new Tensor(x, 8, DataType.F32, java.util.List.of(4L), java.util.List.of());
        RunRequest.Builder all = RunRequest.of("nothing").named("A").tensor(bad).lease(stale);
        assertThat(code(d.submit(all))).isEqualTo("UNKNOWN_CALLABLE");
        all = RunRequest.of("copy").named("A").tensor(bad).lease(stale);
        assertThat(code(d.submit(all))).isEqualTo("INVALID_ARGUMENT");
        all = RunRequest.of("copy").named("A").tensor(bad).tensor(bad).lease(stale);
        assertThat(code(d.submit(all))).isEqualTo("STALE_LEASE");
        all = RunRequest.of("copy").named("A").tensor(bad).tensor(bad);
        long refused = d.submit(all);
        assertThat(code(refused)).isEqualTo("INVALID_ARGUMENT");
        assertThat(((RunReply.Rejected) d.port.last(refused)).refusal().message())
                .contains("argument 0", "buffer x");
        d.ledger.failDeclarations(1);
        assertThat(code(d.copy("A", x, y))).isEqualTo("DECLARE_FAILED");
        assertThat(d.ledger.view()).isEqualTo(before);
        d.loseIt(d.copy("P", x, y));
        assertThat(code(d.submit(Desk.copyRequest("A", x, y).lease(stale)))).isEqualTo("POISONED");
    }

    @Test
    void theQueueBoundComesBeforeTheDispatchId() {
        Desk small = new Desk(new LedgerLimits(1, 1, 16, 16, 64, 16, 4));
        BufferHandle a = small.allocate("a");
        BufferHandle b = small.allocate("b");
        small.submit(Desk.copyRequest("A", a, b).dispatch(5));
        small.submit(Desk.copyRequest("B", a, b));
        assertThat(small.port.code(small.submit(Desk.copyRequest("C", a, b).dispatch(5))))
                .isEqualTo("QUEUE_FULL");
    }

    @Test
    void aReadIsRefusedForTheLastRunThatDeclaresItsBytes() {
        long a = d.copy("A", x, y);
        long b = d.submit(Desk.incRequest("B", y));
        long refused = d.read(y, DeviceCommand.When.NOW);
        assertThat(code(refused)).isEqualTo("NOT_PRODUCED_YET");
        assertThat(((Reply.Refused) d.port.last(refused)).refusal().by().get(0).name())
                .isEqualTo("B");
        long waiting = d.read(y, DeviceCommand.When.LATER);
        d.complete(a);
        assertThat(d.port.answered(waiting)).isFalse();
        assertThat(d.port.io).isEmpty();
        d.complete(b);
        d.answerIo(new IoCall.ReadDone(HostBytes.ofFloats(1)));
        assertThat(code(waiting)).isEqualTo("Data");
    }

    @Test
    void aWriteIsRefusedWhereALiveRunNamesItsBytesAndOnlyThere() {
        d.submit(RunRequest.of("copy")
                .named("A")
                .tensor(x.tensor(DataType.F32, 2))
                .tensor(y.tensor(DataType.F32, 2)));
        assertThat(code(d.write("w", x, 4, 1))).isEqualTo("IN_USE");
        long beside = d.write("w", x, 8, 1, 1);
        assertThat(d.port.answered(beside)).isFalse();
        d.answerIo(IoCall.Done.INSTANCE);
        assertThat(code(beside)).isEqualTo("Written");
    }

    @Test
    void aRunThatConflictsWithACopyWaitsForIt() {
        d.write("w", x, 0, 1);
        d.copy("A", x, y);
        d.copy("B", y, z);
        assertThat(d.port.lane).contains("admitted A slot=0 blocked", "admitted B slot=1");
        d.answerIo(IoCall.Done.INSTANCE);
        assertThat(d.port.lane).last().isEqualTo("unblocked 1");
    }

    @Test
    void failureFollowsTheDataAndAGoodRunBetweenHeals() {
        long a = d.copy("A", x, y);
        long w = d.copy("W", x, y);
        long c = d.copy("C", y, z);
        d.fail(a, FailureReason.EXECUTION_FAILED, true);
        assertThat(status(y).isVoid()).isTrue();
        d.ledger.begin(d.run(c), 1, true, 99);
        assertThat(d.port.lane).last().isEqualTo("begin " + d.run(c));
        d.complete(w);
        assertThat(status(y).isVoid()).isFalse();
        d.complete(c);
        assertThat(code(c)).isEqualTo("COMPLETED");
    }

    @Test
    void aRunThatReadsVoidBytesFailsAtEveryJudgement() {
        long a = d.copy("A", x, y);
        long b = d.copy("B", y, z);
        d.fail(a, FailureReason.EXECUTION_FAILED, true);
        d.ledger.begin(d.run(b), 1, false, 99);
        assertThat(d.port.lane).last().isEqualTo("failed " + d.run(b) + " PREDECESSOR_FAILED");
        d.ledger.launch(d.run(b));
        assertThat(d.port.lane).last().isEqualTo("failed " + d.run(b) + " PREDECESSOR_FAILED");
        d.complete(b);
        assertThat(code(b)).isEqualTo("PREDECESSOR_FAILED");
        assertThat(status(z).isVoid()).isTrue();
    }

    @Test
    void aRunAheadOfAFailedOneIsNeitherJudgedNorHealsIt() {
        long ahead = d.submit(Desk.copyRequest("A", y, z).dispatch(1));
        long w = d.submit(Desk.copyRequest("W", x, y).dispatch(2));
        long behind = d.submit(Desk.copyRequest("B", x, y).dispatch(3));
        d.fail(behind, FailureReason.ABANDONED, false);
        d.ledger.begin(d.run(ahead), 1, false, 99);
        assertThat(d.port.lane).last().isEqualTo("begin " + d.run(ahead));
        d.complete(ahead);
        assertThat(code(ahead)).isEqualTo("COMPLETED");
        d.complete(w);
        assertThat(status(y).isVoid()).isTrue();
        assertThat(code(d.say(new DeviceCommand.Revalidate(y, Desk.nobody())))).isEqualTo("Revalidated");
    }

    @Test
    void unprovenBecomesMarksThatOutliveTheRun() {
        long a = d.copy("A", x, y);
        d.loseIt(a);
        assertThat(status(x).unreleasable()).isTrue();
        assertThat(status(x).unreadable()).isFalse();
        assertThat(status(y).unreadable()).isTrue();
        assertThat(status(y).borrowers()).isEmpty();
        assertThat(code(d.read(y, DeviceCommand.When.NOW))).isEqualTo("UNREADABLE");
        assertThat(d.ledger.view().retained()).isEqualTo(1);
        d.loseIt(a);
        assertThat(d.ledger.view().retained()).as("a discharge comes once").isEqualTo(1);
    }

    @Test
    void anAdmissionThatTheLaneHasNotHeardOfGoesFirst() {
        long late = d.submit(Desk.copyRequest("L", x, y).dispatch(10));
        d.submit(Desk.copyRequest("E", x, z).dispatch(5));
        d.ledger.begin(d.run(late), 1, false, 1);
        assertThat(d.port.lane).last().isEqualTo("denied " + d.run(late));
    }

    @Test
    void aFailedWriteLeavesVoidBytesAndSpoilsTheReadBehindIt() {
        long w = d.write("w", x, 0, 1);
        long r = d.read(x, DeviceCommand.When.NOW);
        d.answerIo(new IoCall.Failed("broken"));
        assertThat(code(w)).isEqualTo("WRITE_FAILED");
        d.answerIo(new IoCall.ReadDone(HostBytes.ofFloats(0)));
        assertThat(code(r)).isEqualTo("PREDECESSOR_FAILED");
        assertThat(code(d.read(x, DeviceCommand.When.NOW))).isEqualTo("PREDECESSOR_FAILED");
    }

    @Test
    void aDriverThatHandsOutOverlappingMemoryHasFailed() {
        d.say(new DeviceCommand.Allocate("o", 64, Desk.nobody()));
        d.answerIo(new IoCall.Done(0xFF8));
        assertThat(d.port.failed).contains("overlap", "buffer", "0xff8");
    }

    @Test
    void closeGivesBackWhatCanBeProvenAndListsTheRest() {
        d.loseIt(d.copy("A", x, y));
        d.ledger.close();
        assertThat(d.ledger.afterStep()).isNull();
        d.answerIo(IoCall.Done.INSTANCE);
        Ledger.Closed closed = java.util.Objects.requireNonNull(d.ledger.afterStep());
        assertThat(closed.report().stillAllocated())
                .extracting(Reply.BufferRef::name)
                .containsExactly("z");
        assertThat(closed.report().unreleasable())
                .extracting(Reply.BufferRef::name)
                .containsExactly("x", "y");
        assertThat(closed.destroyable()).isFalse();
        assertThat(d.port.io).isEmpty();
    }

    @Test
    void aCallableThatALiveRunUsesIsNotUnregistered() {
        long a = d.copy("A", x, y);
        long refused = d.say(new DeviceCommand.Unregister("copy", Desk.nobody()));
        assertThat(code(refused)).isEqualTo("CALLABLE_IN_USE");
        assertThat(((Reply.Refused) d.port.last(refused)).refusal().message()).contains("run A");
        d.complete(a);
        long done = d.say(new DeviceCommand.Unregister("copy", Desk.nobody()));
        d.answerIo(IoCall.Done.INSTANCE);
        assertThat(code(done)).isEqualTo("Unregistered");
        assertThat(code(d.copy("B", x, y))).isEqualTo("UNKNOWN_CALLABLE");
    }
}
