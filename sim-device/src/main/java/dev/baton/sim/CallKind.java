package dev.baton.sim;

/** Kinds of device calls whose next ones can be made to fail. */
public enum CallKind {
    ALLOC,
    FREE,
    READ,
    /** Also copy, fill and copyHost. */
    WRITE,
    RESET
}
