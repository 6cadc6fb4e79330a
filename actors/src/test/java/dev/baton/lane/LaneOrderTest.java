package dev.baton.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lane.LanePort.TimerKind;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.RunName;
import dev.baton.protocol.RunPhase;
import dev.baton.protocol.driver.Finalization;
import org.junit.jupiter.api.Test;

/** Who is prepared, launched and told, and when (N1, N3 to N7). */
class LaneOrderTest {
    private final LaneDesk d = new LaneDesk(3, true, true);

    private static LaneDesk.Kind kind() {
        return new LaneDesk.Kind();
    }

    private static LaneDesk.Kind serial() {
        LaneDesk.Kind k = kind();
        k.joinable = false;
        return k;
    }

    private static LaneDesk.Kind exclusive() {
        LaneDesk.Kind k = kind();
        k.exclusive = true;
        return k;
    }

    private static LaneDesk.Kind held() {
        LaneDesk.Kind k = kind();
        k.held = true;
        return k;
    }

    @Test
    void aRunIsPreparedEarlyOnceTheFrontIsLaunchedAndLaunchedBehindIt() {
        long a = d.admit(0);
        long b = d.admit(1);
        long c = d.admit(2);
        assertThat(d.said).containsExactly("prepare 1");
        d.prepared(a);
        assertThat(d.said).endsWith("launch 1").doesNotContain("prepare 2 early");
        d.launched(a);
        assertThat(d.said).endsWith("prepare 2 early");
        d.prepared(b);
        assertThat(d.said).contains("launch 2", "prepare 3 early");
        d.prepared(c);
        assertThat(d.said).as("its predecessor's launch has not returned").doesNotContain("launch 3");
        d.launched(b);
        assertThat(d.said).endsWith("launch 3");
    }

    @Test
    void withoutJoinedLaunchAPreparedRunWaitsUntilAllAheadHaveRetired() {
        LaneDesk s = new LaneDesk(2, true, false);
        long a = s.launchedRun(0, kind());
        long b = s.admit(1);
        s.prepared(b);
        assertThat(s.said).doesNotContain("launch 2");
        s.executed(a);
        assertThat(s.said).doesNotContain("launch 2");
        s.finalized(a);
        assertThat(s.said).endsWith("end 1", "launch 2");
    }

    @Test
    void aDriverWithoutConcurrentPreparationPreparesOneAfterTheOther() {
        LaneDesk s = new LaneDesk(2, false, false);
        long a = s.launchedRun(0, kind());
        s.admit(1);
        s.executed(a);
        assertThat(s.said).doesNotContain("prepare 2 early");
        s.finalized(a);
        assertThat(s.said).endsWith("end 1", "prepare 2");
    }

    @Test
    void nothingIsPreparedBesideMemoryFromElsewhereOrDiagnostics() {
        for (LaneDesk.Kind alone : new LaneDesk.Kind[] {serial(), exclusive()}) {
            LaneDesk behind = new LaneDesk(2, true, true);
            behind.launchedRun(0, kind());
            behind.admit(1, alone);
            assertThat(behind.said).containsExactly("prepare 1", "launch 1");
            LaneDesk ahead = new LaneDesk(2, true, true);
            long a = ahead.launchedRun(0, alone);
            ahead.admit(1);
            assertThat(ahead.said).containsExactly("prepare 1", "launch 1");
            ahead.executed(a);
            ahead.finalized(a);
            assertThat(ahead.said).endsWith("end 1", "prepare 2");
        }
    }

    @Test
    void aDeferredRunIsPreparedOnceMoreAtTheFrontOnly() {
        long a = d.launchedRun(0, kind());
        long b = d.admit(1);
        d.report(() -> d.lane.reports().deferred(b, 1, null, "the front"));
        assertThat(d.phase(b)).isEqualTo(RunPhase.DEFERRED);
        assertThat(d.lane.view().get(1).waitsFor()).isEqualTo("the front");
        d.executed(a);
        d.finalized(a);
        assertThat(d.said).endsWith("end 1", "prepare 2");
        assertThat(d.attempt(b)).isEqualTo(2);
        d.prepared(b);
        d.launched(b);
        d.executed(b);
        d.finalized(b);
        assertThat(d.reason(b)).isNull();
    }

    @Test
    void aHeldRunIsPreparedBehindALaunchedOneOnlyAndLaunchedWhenActivated() {
        long front = d.admit(0, held());
        assertThat(d.said).as("never at the front by itself").isEmpty();
        d.lane.activate(1, new RunName("r1"));
        d.settle();
        assertThat(d.code()).isEqualTo("Activated");
        d.lane.activate(2, new RunName("r1"));
        assertThat(d.code()).isEqualTo("NOT_HELD");
        d.prepared(front);
        d.launched(front);
        long b = d.admit(1, held());
        long c = d.admit(2);
        d.prepared(b);
        d.prepared(c);
        assertThat(d.said).doesNotContain("launch 2", "launch 3");
        d.lane.activate(3, new RunName("r2"));
        d.settle();
        assertThat(d.said).endsWith("launch 2");
    }

    @Test
    void abandonEndsWhatIsNotLaunchedAtOnceOrWhenItsPreparationEnds() {
        long a = d.launchedRun(0, kind());
        d.lane.abandon(1, new RunName("r1"));
        assertThat(d.code()).isEqualTo("ALREADY_LAUNCHED");
        long b = d.admit(1);
        d.lane.abandon(2, new RunName("r2"));
        assertThat(d.code()).isEqualTo("Abandoned");
        d.lane.abandon(3, new RunName("r2"));
        assertThat(d.code()).as("asked again").isEqualTo("Abandoned");
        assertThat(d.ends).as("it is being prepared").isEmpty();
        d.prepared(b);
        assertThat(d.said).endsWith("finalize 2");
        d.finalized(b);
        assertThat(d.reason(b)).isEqualTo(FailureReason.ABANDONED);
        long c = d.admit(-1);
        d.lane.abandon(4, new RunName("r3"));
        d.settle();
        assertThat(d.reason(c)).isEqualTo(FailureReason.ABANDONED);
        d.lane.abandon(5, new RunName("r3"));
        assertThat(d.code()).isEqualTo("UNKNOWN_RUN");
        d.lane.activate(6, new RunName("r3"));
        assertThat(d.code()).isEqualTo("UNKNOWN_RUN");
        assertThat(d.ends).doesNotContainKey(a);
    }

    @Test
    void launchedRunsRetireInOrderWhoeverIsFinalizedFirst() {
        long a = d.launchedRun(0, kind());
        long b = d.launchedRun(1, kind());
        d.executed(a);
        d.executed(b);
        d.finalized(b);
        assertThat(d.ends).isEmpty();
        d.finalized(a);
        assertThat(d.ends.keySet()).containsExactly(a, b);
    }

    @Test
    void aRunThatWasNeverLaunchedIsAnsweredAtOnceAndLeavesTheFrontUntouched() {
        long a = d.launchedRun(0, kind());
        long b = d.admit(1);
        d.report(() -> d.lane.reports()
                .prepareFailed(b, 1, FailurePolicy.Happening.PREPARE_FAILED, "prepare", "bad graph", null));
        assertThat(d.reason(b)).isEqualTo(FailureReason.PREPARE_FAILED);
        assertThat(d.phase(a)).isEqualTo(RunPhase.LAUNCHED);
        assertThat(d.lane.poisoned()).isFalse();
    }

    @Test
    void nothingIsLaunchedBehindARunThatIsKnownToHaveFailed() {
        long a = d.launchedRun(0, kind());
        long b = d.admit(1);
        d.executedBadly(a);
        d.prepared(b);
        assertThat(d.said).doesNotContain("launch 2");
        d.finalized(a, Finalization.Outcome.FAILED_BUT_DRAINED);
        assertThat(d.reason(a)).isEqualTo(FailureReason.EXECUTION_FAILED);
        assertThat(d.said).endsWith("end 1", "launch 2");
    }

    @Test
    void aBlockedRunIsNotPreparedBeforeItIsUnblockedAndADisplacedOneNotWithoutASlot() {
        LaneDesk.Kind blocked = kind();
        blocked.blocked = true;
        long a = d.admit(0, blocked);
        assertThat(d.said).isEmpty();
        d.lane.slotChanged(a, -1);
        d.lane.unblocked(a);
        d.settle();
        assertThat(d.said).isEmpty();
        d.lane.slotChanged(a, 1);
        d.settle();
        assertThat(d.said).containsExactly("prepare 1");
    }

    @Test
    void anEarlierRunThatComesBeforeTheGrantIsPreparedFirst() {
        d.grants = false;
        long late = d.admit(0, 10, kind());
        long early = d.admit(1, 5, kind());
        d.lane.beginDenied(late, 1, false);
        d.grants = true;
        d.lane.go();
        d.settle();
        assertThat(d.said.get(0)).as("the grant that was denied counts no more").isEqualTo("prepare " + early);
    }

    @Test
    void hostBuffersAreWrittenBackForCompletedRunsBeforeTheyRetire() {
        LaneDesk.Kind host = kind();
        host.hostOutputs = true;
        long a = d.launchedRun(0, host);
        d.executed(a);
        d.finalized(a);
        assertThat(d.said).endsWith("copy-back 1");
        d.report(() -> d.lane.reports().copiedBack(a, 1, null));
        assertThat(d.reason(a)).isNull();
        long b = d.launchedRun(0, host);
        d.executedBadly(b);
        d.finalized(b);
        assertThat(d.said).doesNotContain("copy-back 2");
        assertThat(d.reason(b)).isEqualTo(FailureReason.EXECUTION_FAILED);
    }

    @Test
    void whatComesLateForAnAttemptThatIsOverIsDropped() {
        long a = d.admit(0);
        d.report(() -> d.lane.reports().deferred(a, 1, null, "the front"));
        assertThat(d.attempt(a)).isEqualTo(2);
        d.report(() -> d.lane.reports().prepared(a, 1, ""));
        assertThat(d.phase(a)).isEqualTo(RunPhase.PREPARING);
        d.lane.timer(TimerKind.CALL, a);
        assertThat(d.phase(a)).as("no call limit was set").isEqualTo(RunPhase.PREPARING);
    }
}
