package dev.baton.protocol;

/** What the platform itself failed to do, for commands that are no runs. */
public enum OperationFailure {
    OUT_OF_MEMORY,
    READ_FAILED,
    WRITE_FAILED,
    FREE_FAILED,
    RESET_FAILED,
    REGISTER_FAILED
}
