package dev.baton.protocol;

/** Where a run stands, as people see it. */
public enum RunPhase {
    QUEUED,
    PREPARING,
    DEFERRED,
    PREPARED,
    LAUNCHING,
    LAUNCHED,
    EXECUTED,
    FINALIZING,
    FINALIZED,
    RETIRED
}
