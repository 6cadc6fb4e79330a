package dev.baton.testkit.junit;

import dev.baton.protocol.Refusal;
import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunId;
import dev.baton.protocol.RunReply;

/** A submitted run, with its answers. */
public final class TestRun extends Probe<RunReply> {
    private final String name;

    TestRun(Bench bench, String name) {
        super(bench, "run " + name);
        this.name = name;
    }

    /** The client's name for it. */
    public String name() {
        return name;
    }

    /** Its id; waits for the acceptance. */
    public RunId id() {
        return get(RunReply.Accepted.class).run();
    }

    /** Whether it was accepted; waits for the decision. */
    public boolean isAccepted() {
        return get() instanceof RunReply.Accepted;
    }

    /** Why it was rejected; waits for the decision. */
    public Refusal rejected() {
        return get(RunReply.Rejected.class).refusal();
    }

    /** Its end, good or bad; waits for it. */
    public RunReply.Finished finished() {
        get(RunReply.Accepted.class);
        return (RunReply.Finished) at(1);
    }

    /** Waits for its end, which must be a good one. */
    public RunReply.Finished completed() {
        RunReply.Finished end = finished();
        if (!end.completed()) {
            throw new AssertionError("run " + name + " failed: " + end.failure());
        }
        return end;
    }

    /** Waits for its end, which must be a failure. */
    public RunFailure failure() {
        RunFailure failure = finished().failure();
        if (failure == null) {
            throw new AssertionError("run " + name + " completed");
        }
        return failure;
    }
}
