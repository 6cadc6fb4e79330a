package dev.baton.protocol;

/** Why an accepted run did not complete: the reasons of DESIGN section 6. */
public enum FailureReason {
    BUILD_FAILED,
    PREPARE_FAILED,
    CLEANUP_FAILED,
    ABANDONED,
    DEADLINE_EXCEEDED,
    LAUNCH_FAILED,
    EXECUTION_FAILED,
    PREDECESSOR_FAILED,
    COMPLETION_UNKNOWN,
    UNPROVEN,
    INTERNAL,
    POISONED,
    RESET,
    CLOSED
}
