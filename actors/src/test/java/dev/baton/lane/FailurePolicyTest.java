package dev.baton.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lane.FailurePolicy.Happening;
import dev.baton.protocol.RunPhase;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of DESIGN section 6, row by row, and the life cycle's table. */
class FailurePolicyTest {
    @ParameterizedTest
    @CsvSource({
        "BUILD_FAILED, BUILD_FAILED, false, true",
        "PREPARE_FAILED, PREPARE_FAILED, false, true",
        "CLEANUP_FAILED, CLEANUP_FAILED, true, false",
        "ABANDONED, ABANDONED, false, true",
        "QUEUE_DEADLINE, DEADLINE_EXCEEDED, false, true",
        "LAUNCH_FAILED, LAUNCH_FAILED, false, true",
        "EXECUTION_FAILED, EXECUTION_FAILED, false, true",
        "READ_VOID_BYTES, PREDECESSOR_FAILED, false, true",
        "COMPLETION_UNKNOWN, COMPLETION_UNKNOWN, true, true",
        "FINALIZE_FAILED, UNPROVEN, true, false",
        "CALL_NEVER_RETURNED, UNPROVEN, true, false",
        "SLOT_DIED_AFTER_PREPARE_BEGAN, INTERNAL, true, false",
        "SLOT_DIED_BEFORE, INTERNAL, false, true",
        "LANE_POISONED_BEFORE_LAUNCH, POISONED, false, true",
        "LAUNCHED_BEHIND_THE_POISON, POISONED, false, true",
    })
    void eachRowHasItsAnswerLaneAndFacts(Happening row, String answer, boolean poisons, boolean proven) {
        assertThat(String.valueOf(row.reason())).isEqualTo(answer);
        assertThat(row.poisons()).isEqualTo(poisons);
        assertThat(row.proven()).isEqualTo(proven);
    }

    @Test
    void aDecidedEndStandsThenPoisonThenTheRunsOwn() {
        Happening own = Happening.EXECUTION_FAILED;
        assertThat(FailurePolicy.provenEnd(Happening.ABANDONED, true, true, own))
                .isEqualTo(Happening.ABANDONED);
        assertThat(FailurePolicy.provenEnd(null, false, true, own)).isEqualTo(Happening.LAUNCHED_BEHIND_THE_POISON);
        assertThat(FailurePolicy.provenEnd(null, true, false, own)).isEqualTo(Happening.LANE_POISONED_BEFORE_LAUNCH);
        assertThat(FailurePolicy.provenEnd(null, false, false, own)).isEqualTo(own);
    }

    @Test
    void nothingLeadsOutOfTheEndAndAnIllegalEventSaysWhatItMet() {
        Map<RunPhase, Map<Lifecycle.Event, RunPhase>> table = Lifecycle.table();
        assertThat(table).doesNotContainKey(RunPhase.RETIRED);
        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> Lifecycle.next(RunPhase.RETIRED, Lifecycle.Event.BEGIN, "A"))
                .hasMessageContaining("run=A phase=RETIRED event=BEGIN");
    }
}
