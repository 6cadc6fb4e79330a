package dev.baton.protocol;

/** What a callable does with one argument. */
public enum Role {
    /** Reads a tensor. */
    IN,
    /** Writes a tensor without reading it: a completed run heals the bytes (F1). */
    OUT,
    /** Reads and writes a tensor. */
    INOUT,
    /** Takes one value by copy. */
    SCALAR;

    /** Whether the argument's old bytes reach the run. */
    public boolean reads() {
        return this == IN || this == INOUT;
    }

    /** Whether the run declares the argument's bytes (L5). */
    public boolean writes() {
        return this == OUT || this == INOUT;
    }
}
