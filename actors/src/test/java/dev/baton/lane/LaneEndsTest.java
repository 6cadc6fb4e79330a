package dev.baton.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lane.LanePort.TimerKind;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunName;
import dev.baton.protocol.RunPhase;
import dev.baton.protocol.driver.Finalization.Outcome;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How runs end: deadlines, deaths, poison, close (N11, section 6, F2, F3). */
class LaneEndsTest {
    private final LaneDesk d = desk();

    private static LaneDesk desk() {
        return new LaneDesk(new LaneSettings(3, true, true, LaneDesk.LIMIT, Duration.ofSeconds(1)));
    }

    private static LaneDesk.Kind timed() {
        LaneDesk.Kind k = new LaneDesk.Kind();
        k.queue = LaneDesk.LIMIT;
        k.execution = LaneDesk.LIMIT;
        return k;
    }

    private static LaneDesk.Kind plain() {
        return new LaneDesk.Kind();
    }

    private void timer(TimerKind kind, long run) {
        d.lane.timer(kind, run);
        d.settle();
    }

    @Test
    void theQueueDeadlineEndsARunThatIsNotLaunchedAndCountsNoMoreFromTheLaunchOn() {
        long a = d.launchedRun(0, timed());
        assertThat(d.timers).doesNotContain("QUEUE " + a);
        timer(TimerKind.QUEUE, a);
        assertThat(d.phase(a)).isEqualTo(RunPhase.LAUNCHED);
        long b = d.admit(1, timed());
        timer(TimerKind.QUEUE, b);
        assertThat(d.ends).as("while being prepared: as soon as that ends").isEmpty();
        d.prepared(b);
        d.finalized(b);
        assertThat(d.reason(b)).isEqualTo(FailureReason.DEADLINE_EXCEEDED);
        long c = d.admit(-1, timed());
        timer(TimerKind.QUEUE, c);
        assertThat(d.reason(c)).isEqualTo(FailureReason.DEADLINE_EXCEEDED);
        assertThat(d.lane.poisoned()).isFalse();
        assertThat(d.timers).noneMatch(t -> t.startsWith("QUEUE"));
    }

    @Test
    void theExecutionDeadlineCountsFromTheEndOfTheRunAhead() {
        long a = d.launchedRun(0, plain());
        long b = d.launchedRun(1, timed());
        assertThat(d.timers).doesNotContain("EXECUTION " + b);
        d.executed(a);
        assertThat(d.timers).contains("EXECUTION " + b);
        timer(TimerKind.EXECUTION, b);
        assertThat(d.said).endsWith("stop 2");
        d.finalized(b);
        d.finalized(a);
        assertThat(d.reason(a)).isNull();
        assertThat(d.reason(b)).isEqualTo(FailureReason.COMPLETION_UNKNOWN);
        assertThat(d.ends.get(b)).matches(e -> e.proven() && e.poisons());
        assertThat(d.lane.poisoned()).isTrue();
    }

    @Test
    void aCallThatNeverReturnsEndsUnprovenAndQuarantinesItsThread() {
        long a = d.admit(0);
        assertThat(d.timers).contains("CALL " + a);
        d.lane.reports().buildBegan(a, 1);
        assertThat(d.timers).as("user code has no limit").doesNotContain("CALL " + a);
        d.lane.reports().buildEnded(a, 1);
        timer(TimerKind.CALL, a);
        assertThat(d.reason(a)).isEqualTo(FailureReason.UNPROVEN);
        assertThat(d.said).contains("quarantined 0 prepare", "unproven 1");
        d.prepared(a);
        assertThat(d.ends).as("what comes late is dropped").hasSize(1);
    }

    @Test
    void aDrainThatOutlastsTheCallLimitIsInterruptedFirst() {
        long a = d.launchedRun(0, plain());
        d.report(() -> d.lane.reports().pollFailed(a, 1, "no answer"));
        timer(TimerKind.CALL, a);
        assertThat(d.said).endsWith("interrupt 1");
        assertThat(d.ends).isEmpty();
        timer(TimerKind.CALL, a);
        assertThat(d.reason(a)).isEqualTo(FailureReason.UNPROVEN);
    }

    @Test
    void anUnprovenFinalizeKeepsTheFirstErrorAndAttachesItsOwn() {
        long a = d.admit(0);
        d.prepared(a);
        d.report(() -> d.lane.reports().launchFailed(a, 1, "no room"));
        d.finalized(a, Outcome.UNPROVEN);
        RunFailure f = java.util.Objects.requireNonNull(
                java.util.Objects.requireNonNull(d.ends.get(a)).failure());
        assertThat(f.reason()).isEqualTo(FailureReason.UNPROVEN);
        assertThat(f.operation()).isEqualTo("launch");
        assertThat(f.message()).isEqualTo("no room; then finalize: why");
    }

    @Test
    void aLaunchFailureWithAFineFinalizeLeavesTheLaneOpen() {
        long a = d.admit(0);
        d.prepared(a);
        d.report(() -> d.lane.reports().launchFailed(a, 1, "no room"));
        d.finalized(a);
        assertThat(d.reason(a)).isEqualTo(FailureReason.LAUNCH_FAILED);
        assertThat(d.ends.get(a)).matches(e -> e.proven() && !e.poisons() && e.launched());
        assertThat(d.lane.poisoned()).isFalse();
    }

    @Test
    void aFailedCleanUpPoisonsAndIsNeverARetry() {
        long a = d.admit(0);
        d.report(() -> d.lane.reports().cleanupFailed(a, 1, "stuck", List.of("staging")));
        assertThat(d.reason(a)).isEqualTo(FailureReason.CLEANUP_FAILED);
        assertThat(d.ends.get(a)).matches(e -> !e.proven() && e.poisons());
        assertThat(d.lane.poisonedBy()).hasToString("run r1 (1)");
    }

    @Test
    void poisonEndsWhatIsNotLaunchedDrainsWhatIsBehindAndSparesWhatIsAhead() {
        long a = d.launchedRun(0, plain());
        long b = d.launchedRun(1, plain());
        long c = d.launchedRun(2, plain());
        long waiting = d.admit(-1);
        timer(TimerKind.CALL, b);
        assertThat(d.ends).as("nothing of it is told before a").isEmpty();
        d.lane.reports().executed(b, 1, null);
        timer(TimerKind.CALL, b);
        assertThat(d.unproven).as("at once, out of turn").containsExactly(b);
        assertThat(d.said).contains("stop 3 drain");
        assertThat(d.reason(waiting)).isEqualTo(FailureReason.POISONED);
        assertThat(d.ends.keySet()).containsExactly(waiting);
        d.executed(c);
        d.finalized(c);
        d.executed(a);
        d.finalized(a);
        assertThat(d.reason(a)).as("its own outcome").isNull();
        assertThat(d.reason(b)).isEqualTo(FailureReason.UNPROVEN);
        assertThat(d.reason(c)).isEqualTo(FailureReason.POISONED);
        assertThat(java.util.Objects.requireNonNull(
                                java.util.Objects.requireNonNull(d.ends.get(c)).failure())
                        .by())
                .hasToString("run r2 (2)");
        assertThat(d.ends.keySet()).containsExactly(waiting, a, b, c);
        long late = d.admit(0);
        assertThat(d.reason(late)).isEqualTo(FailureReason.POISONED);
    }

    @Test
    void aSlotThatDiesBeforeThePreparationCostsThatRunAlone() {
        d.grants = false;
        long a = d.admit(0);
        d.lane.slotDied(0, "boom");
        assertThat(d.reason(a)).isEqualTo(FailureReason.INTERNAL);
        assertThat(d.ends.get(a)).matches(e -> e.proven() && !e.poisons());
        d.grants = true;
        d.settle();
        assertThat(d.said).as("its slot is gone").doesNotContain("prepare 1");
        long b = d.admit(0);
        assertThat(d.said).doesNotContain("prepare 2");
        d.lane.slotReplaced(0);
        d.settle();
        assertThat(d.said).contains("prepare " + b);
    }

    @Test
    void aSlotThatDiesLaterPoisonsInEveryPhase() {
        for (int steps = 0; steps < 5; steps++) {
            LaneDesk e = desk();
            long a = e.admit(0);
            List<Runnable> life =
                    List.of(() -> e.prepared(a), () -> e.launched(a), () -> e.executed(a), () -> e.finalized(a));
            life.subList(0, Math.min(steps, 3)).forEach(Runnable::run);
            if (steps == 4) {
                e.lane.slotDied(1, "another's");
                assertThat(e.ends).isEmpty();
            }
            e.lane.slotDied(0, "boom");
            assertThat(e.reason(a)).as("after %d steps", steps).isEqualTo(FailureReason.INTERNAL);
            assertThat(e.ends.get(a)).matches(x -> !x.proven() && x.poisons());
        }
    }

    @Test
    void aSlotThatDiesWithARunWhoseEndIsDecidedStillEndsIt() {
        long a = d.admit(0);
        d.lane.abandon(1, new RunName("r1"));
        d.lane.slotDied(0, "boom");
        assertThat(d.reason(a)).as("while it was prepared").isEqualTo(FailureReason.INTERNAL);
        LaneDesk e = desk();
        long front = e.launchedRun(0, plain());
        long b = e.admit(1);
        e.prepared(b);
        e.lane.abandon(1, new RunName("r2"));
        assertThat(e.code()).isEqualTo("ALREADY_LAUNCHED");
        LaneDesk.Kind held = plain();
        held.held = true;
        long c = e.admit(2, held);
        e.launched(b);
        e.prepared(c);
        e.lane.abandon(2, new RunName("r3"));
        e.lane.slotDied(2, "boom");
        assertThat(e.reason(c)).as("while it was finalized").isEqualTo(FailureReason.INTERNAL);
        assertThat(e.phase(front)).isEqualTo(RunPhase.LAUNCHED);
    }

    @Test
    void aSlotThatDiesWhileItWritesBackEndsItsRun() {
        LaneDesk.Kind host = plain();
        host.hostOutputs = true;
        long a = d.launchedRun(0, host);
        d.executed(a);
        d.finalized(a);
        assertThat(d.said).endsWith("copy-back 1");
        d.lane.slotDied(0, "boom");
        assertThat(d.reason(a)).isEqualTo(FailureReason.INTERNAL);
    }

    /** It is finalized, and its host outputs are still in the slot, since the run ahead has not retired. */
    @Test
    void aSlotThatDiesBeforeItsCopyBackEndsItsRun() {
        LaneDesk.Kind host = plain();
        host.hostOutputs = true;
        long a = d.launchedRun(0, plain());
        long b = d.launchedRun(1, host);
        d.executed(a);
        d.executed(b);
        d.finalized(b);
        d.lane.slotDied(1, "boom");
        assertThat(d.unproven).containsExactly(b);
        d.finalized(a);
        assertThat(d.reason(a)).isNull();
        assertThat(d.reason(b)).isEqualTo(FailureReason.INTERNAL);
        assertThat(d.lane.view()).isEmpty();
    }

    @Test
    void closingWithoutWaitingEndsEveryRunWhateverItStandsIn() {
        LaneDesk.Kind held = plain();
        held.held = true;
        long a = d.launchedRun(0, plain());
        long b = d.admit(1);
        d.lane.abandon(1, new RunName("r2"));
        long c = d.admit(-1, held);
        d.lane.abandonHeld();
        d.settle();
        assertThat(d.reason(c)).isEqualTo(FailureReason.ABANDONED);
        d.lane.closeNow();
        d.settle();
        assertThat(d.said).contains("stop 1");
        assertThat(d.unproven).as("its preparation can't be waited for").contains(b);
        d.lane.closeGraceOver();
        d.settle();
        assertThat(d.reason(a)).isEqualTo(FailureReason.CLOSED);
        assertThat(d.lane.view()).isEmpty();
    }

    @Test
    void aFrozenLaneDoesNothingMore() {
        long a = d.admit(0);
        d.lane.freeze();
        d.prepared(a);
        d.lane.slotDied(0, "boom");
        timer(TimerKind.CALL, a);
        assertThat(d.said).containsExactly("prepare 1");
        assertThat(d.ends).isEmpty();
    }

    @Test
    void onePassOfTheUsualWaysVisitsEveryPhase() {
        long a = d.launchedRun(0, plain());
        long b = d.admit(1);
        d.report(() -> d.lane.reports().deferred(b, 1, null, "the front"));
        d.report(() -> d.lane.reports().pollFailed(a, 1, "no answer"));
        d.finalized(a, Outcome.FAILED_BUT_DRAINED);
        LaneDesk e = desk();
        long c = e.launchedRun(0, plain());
        e.executed(c);
        EnumSet<RunPhase> seen = EnumSet.copyOf(d.phases);
        seen.addAll(e.phases);
        assertThat(seen).containsExactlyInAnyOrder(RunPhase.values());
    }

    @Test
    void everyTransitionOfTheTableLeadsOn() {
        Map<RunPhase, Integer> ways = new HashMap<>();
        Lifecycle.table()
                .forEach((from, events) -> events.forEach((event, to) -> {
                    assertThat(Lifecycle.next(from, event, "r")).isEqualTo(to);
                    assertThat(to).as("%s by %s", from, event).isNotEqualTo(from);
                    ways.merge(from, 1, Integer::sum);
                }));
        assertThat(ways).hasSize(RunPhase.values().length - 1);
    }
}
