package dev.baton.embedding;

import dev.baton.protocol.OperationFailure;

/** A command that was accepted, and that the device could not carry out. */
public final class OperationFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final OperationFailure failure;

    public OperationFailedException(OperationFailure failure, String message) {
        super(failure + ": " + message);
        this.failure = failure;
    }

    public OperationFailure failure() {
        return failure;
    }
}
