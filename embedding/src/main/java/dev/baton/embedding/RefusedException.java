package dev.baton.embedding;

import dev.baton.protocol.Refusal;

/** A command that was refused and changed nothing. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;

    public RefusedException(Refusal refusal) {
        super(refusal.code() + ": " + refusal.message());
        this.refusal = refusal;
    }

    /** The code, what stood in the way, and the sentence for people. */
    public Refusal refusal() {
        return refusal;
    }
}
