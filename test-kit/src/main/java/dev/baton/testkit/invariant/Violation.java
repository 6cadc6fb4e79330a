package dev.baton.testkit.invariant;

/** An invariant that did not hold. */
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final char letter;

    /** @param letter the invariant's letter in {@link Invariants} */
    public Violation(char letter, String message) {
        super("invariant (" + letter + "): " + message);
        this.letter = letter;
    }

    /** The invariant's letter. */
    public char letter() {
        return letter;
    }
}
