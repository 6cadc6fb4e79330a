package dev.baton.lane;

import dev.baton.protocol.FailureReason;
import org.jspecify.annotations.Nullable;

/**
 * The table of DESIGN section 6: what each happening means for the run's answer, the lane and the ledger's facts. The lane asks
 * it in the step that hears of an outcome.
 */
public final class FailurePolicy {
    private FailurePolicy() {}

    /** What happened to a run; each with the row's three answers. */
    public enum Happening {
        COMPLETED(null, false, true),
        BUILD_FAILED(FailureReason.BUILD_FAILED, false, true),
        PREPARE_FAILED(FailureReason.PREPARE_FAILED, false, true),
        CLEANUP_FAILED(FailureReason.CLEANUP_FAILED, true, false),
        ABANDONED(FailureReason.ABANDONED, false, true),
        QUEUE_DEADLINE(FailureReason.DEADLINE_EXCEEDED, false, true),
        LAUNCH_FAILED(FailureReason.LAUNCH_FAILED, false, true),
        EXECUTION_FAILED(FailureReason.EXECUTION_FAILED, false, true),
        READ_VOID_BYTES(FailureReason.PREDECESSOR_FAILED, false, true),
        COMPLETION_UNKNOWN(FailureReason.COMPLETION_UNKNOWN, true, true),
        FINALIZE_FAILED(FailureReason.UNPROVEN, true, false),
        CALL_NEVER_RETURNED(FailureReason.UNPROVEN, true, false),
        SLOT_DIED_AFTER_PREPARE_BEGAN(FailureReason.INTERNAL, true, false),
        SLOT_DIED_BEFORE(FailureReason.INTERNAL, false, true),
        LANE_POISONED_BEFORE_LAUNCH(FailureReason.POISONED, false, true),
        LAUNCHED_BEHIND_THE_POISON(FailureReason.POISONED, false, true),
        CLOSED_WITHOUT_WAITING(FailureReason.CLOSED, false, true);

        private final @Nullable FailureReason reason;
        private final boolean poisons;
        private final boolean proven;

        Happening(@Nullable FailureReason reason, boolean poisons, boolean proven) {
            this.reason = reason;
            this.poisons = poisons;
            this.proven = proven;
        }

        /** The reason of the run's answer; null for COMPLETED. */
        public @Nullable FailureReason reason() {
            return reason;
        }

        /** Whether this end poisons the lane. */
        public boolean poisons() {
            return poisons;
        }

        /** Whether the ledger drops the run's facts; otherwise they become marks. */
        public boolean proven() {
            return proven;
        }
    }

    /**
     * Which of several truths about a proven end is told: one decided before (abandon, deadline, close) stands; then POISONED;
     * then the run's own. PREDECESSOR_FAILED, between the two last, is judged by the ledger at the discharge.
     *
     * @param decided an end decided before, or null
     * @param poisonedBefore the lane was poisoned before the run was launched
     * @param poisonedAhead it was launched behind a run whose end poisoned the lane
     * @param own what became of the run itself
     */
    public static Happening provenEnd(
            @Nullable Happening decided, boolean poisonedBefore, boolean poisonedAhead, Happening own) {
        if (decided != null) {
            return decided;
        }
        if (poisonedAhead) {
            return Happening.LAUNCHED_BEHIND_THE_POISON;
        }
        return poisonedBefore ? Happening.LANE_POISONED_BEFORE_LAUNCH : own;
    }
}
