package dev.baton.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.Holder;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.Lease;
import dev.baton.protocol.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who holds slots and buffers: displacement and leases (N2, N8), copies as holders and in their order (L9, L12, L13). */
class HoldersTest {
    private final Desk d = new Desk();
    private final BufferHandle x = d.allocate("x");
    private final BufferHandle y = d.allocate("y");
    private final BufferHandle z = d.allocate("z");

    private String code(long token) {
        return d.port.code(token);
    }

    private Lease lease(int slot) {
        return ((Reply.Leased) d.port.last(d.say(new DeviceCommand.LeaseSlot(slot, Desk.nobody())))).lease();
    }

    private String leaseRefusal(int slot) {
        return code(d.say(new DeviceCommand.LeaseSlot(slot, Desk.nobody())));
    }

    private boolean changedByGivingBack(Lease lease) {
        return ((Reply.GivenBack) d.port.last(d.say(new DeviceCommand.GiveBack(lease, Desk.nobody())))).changed();
    }

    @Test
    void anEarlierIdDisplacesTheLastHolderThatHasNotBegun() {
        long a = d.submit(Desk.copyRequest("A", x, y).dispatch(10));
        long b = d.submit(Desk.copyRequest("B", x, y).dispatch(20));
        d.ledger.begin(d.run(a), 1, false, 99);
        long c = d.submit(Desk.copyRequest("C", x, y).dispatch(15));
        assertThat(d.port.lane).endsWith("slot " + d.run(b) + "=-1", "admitted C slot=1");
        long e = d.submit(Desk.copyRequest("E", x, y).dispatch(17));
        assertThat(d.port.lane).endsWith("admitted E slot=-1");
        d.complete(a);
        assertThat(d.port.lane).as("the earliest that waits").endsWith("slot " + d.run(e) + "=0");
        d.fail(c, FailureReason.ABANDONED, false);
        assertThat(d.port.lane).endsWith("slot " + d.run(b) + "=1");
    }

    @Test
    void aLeasedSlotServesItsHolderAloneOneRunAtATime() {
        Lease mine = lease(1);
        assertThat(leaseRefusal(1)).isEqualTo("SLOT_OCCUPIED");
        assertThat(leaseRefusal(0)).as("the last one without a lease").isEqualTo("SLOT_OCCUPIED");
        d.copy("A", x, y);
        long waits = d.copy("B", x, y);
        assertThat(d.port.lane).endsWith("admitted B slot=-1");
        long l = d.submit(Desk.copyRequest("L", x, z).lease(mine));
        assertThat(d.port.lane).endsWith("admitted L slot=1");
        assertThat(code(d.submit(Desk.copyRequest("M", x, z).lease(mine)))).isEqualTo("SLOT_OCCUPIED");
        d.complete(l);
        assertThat(d.port.lane).as("kept for its holder").doesNotContain("slot " + d.run(waits) + "=1");
        assertThat(changedByGivingBack(mine)).isTrue();
        assertThat(d.port.lane).endsWith("slot " + d.run(waits) + "=1");
        assertThat(changedByGivingBack(mine)).isFalse();
        assertThat(code(d.submit(Desk.copyRequest("N", x, z).lease(mine)))).isEqualTo("STALE_LEASE");
        assertThat(leaseRefusal(1)).isEqualTo("SLOT_OCCUPIED");
    }

    @Test
    void holdersAreListedCopiesFirstThenRunsInDispatchOrder() {
        d.submit(Desk.copyRequest("late", x, y).dispatch(9));
        d.submit(Desk.copyRequest("early", x, y).dispatch(4));
        d.read(x, DeviceCommand.When.NOW);
        long refused = d.free(x);
        assertThat(((Reply.Refused) d.port.last(refused)).refusal().by())
                .extracting(Holder::name)
                .containsExactly("r", "early", "late");
    }

    @Test
    void onlyWritesOverItsBytesWaitBehindAReadThatWaits() {
        long a = d.submit(Desk.incRequest("A", y));
        long r = d.read(y, DeviceCommand.When.LATER);
        d.write("beside", x, 0, 1);
        assertThat(d.port.io.values()).extracting(IoCall::label).containsExactly("beside");
        d.answerIo(IoCall.Done.INSTANCE);
        long w = d.copy("W", x, y);
        assertThat(d.port.lane).endsWith("admitted W slot=1 blocked");
        d.complete(a);
        assertThat(d.port.io.values()).extracting(IoCall::label).containsExactly("r");
        d.answerIo(new IoCall.ReadDone(HostBytes.ofFloats(1)));
        assertThat(code(r)).isEqualTo("Data");
        assertThat(d.port.lane).last().isEqualTo("unblocked " + d.run(w));
    }

    @Test
    void aReadThatWaitsForAFailedRunIsToldSoAndForAnUnprovenOneToo() {
        long a = d.copy("A", x, y);
        long r = d.read(y, DeviceCommand.When.LATER);
        d.fail(a, FailureReason.EXECUTION_FAILED, true);
        assertThat(code(r)).isEqualTo("PREDECESSOR_FAILED");
        long b = d.copy("B", x, z);
        long r2 = d.read(z, DeviceCommand.When.LATER);
        d.loseIt(b);
        assertThat(code(r2)).isEqualTo("UNREADABLE");
    }

    @Test
    void copiesBeyondTheBoundAreBusyAndRecordNothing() {
        Desk small = new Desk(new LedgerLimits(2, 64, 1, 16, 64, 16, 4));
        BufferHandle a = small.allocate("a");
        small.write("first", a, 0, 1);
        LedgerView before = small.ledger.view();
        assertThat(small.port.code(small.write("second", a, 0, 1))).isEqualTo("BUSY");
        assertThat(small.ledger.view()).isEqualTo(before);
    }

    @Test
    void aMarkAnswersAFreeThatWaitedForTheLastHolder() {
        long a = d.copy("A", x, y);
        long free = d.freeWhenIdle(x);
        assertThat(code(d.free(x))).isEqualTo("RELEASE_PENDING");
        d.loseIt(a);
        assertThat(code(free)).isEqualTo("UNPROVEN");
        assertThat(d.port.io).as("the platform's free is not called").isEmpty();
        assertThat(List.of(code(d.free(x)), code(d.freeWhenIdle(x)))).containsOnly("UNPROVEN");
    }

    @Test
    void drainAnswersWhenNoRunIsLiveAndIsBusyBeyondItsBound() {
        Desk small = new Desk(new LedgerLimits(2, 64, 16, 16, 64, 16, 1));
        BufferHandle a = small.allocate("a");
        long run = small.submit(Desk.incRequest("A", a));
        long drain = small.say(new DeviceCommand.Drain(Desk.nobody()));
        assertThat(small.port.code(small.say(new DeviceCommand.Drain(Desk.nobody()))))
                .isEqualTo("BUSY");
        assertThat(small.port.answered(drain)).isFalse();
        small.loseIt(run);
        assertThat(((Reply.Drained) small.port.last(drain)).poison()).isNotNull();
    }
}
