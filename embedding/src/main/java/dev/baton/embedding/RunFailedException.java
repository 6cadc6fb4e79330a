package dev.baton.embedding;

import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunId;

/** A run that was accepted and ended FAILED. */
public final class RunFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient RunId run;
    private final transient RunFailure failure;

    public RunFailedException(RunId run, String name, RunFailure failure) {
        super("run " + name + " failed " + failure.reason() + " at " + failure.operation() + ": " + failure.message());
        this.run = run;
        this.failure = failure;
    }

    public RunId run() {
        return run;
    }

    /** The reason, the run it depends on, the operation, and the sentence for people. */
    public RunFailure failure() {
        return failure;
    }
}
