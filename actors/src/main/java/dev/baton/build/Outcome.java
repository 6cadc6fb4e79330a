package dev.baton.build;

import dev.baton.protocol.Holder;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What became of a run that some fence captured while it was live: written once, by the ledger's thread when the run retires, and
 * read by the threads of builds, without a message (B8). Whoever sees the outcome also sees what the run had written by then.
 */
public final class Outcome {
    /** How far the run is. */
    sealed interface State {
        /** Live. */
        enum Pending implements State {
            INSTANCE
        }

        /** Completed: the bytes that it declared may be read. */
        enum Produced implements State {
            INSTANCE
        }

        /** Failed: the bytes that it declared are void. */
        record Failed(Holder by, String why) implements State {}

        /** Ended unproven: the bytes that it declared are unreadable. */
        record Unproven(Holder by, String why) implements State {}
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.Pending.INSTANCE);

    /** The run completed. False if an outcome was there already; the same for the others. */
    public boolean produced() {
        return resolve(State.Produced.INSTANCE);
    }

    /** The run failed with proof. */
    public boolean failed(Holder by, String why) {
        return resolve(new State.Failed(by, why));
    }

    /** The run ended unproven. */
    public boolean unproven(Holder by, String why) {
        return resolve(new State.Unproven(by, why));
    }

    private boolean resolve(State resolved) {
        return state.compareAndSet(State.Pending.INSTANCE, resolved);
    }

    /** Whether nothing is known yet. */
    public boolean isPending() {
        return state() == State.Pending.INSTANCE;
    }

    State state() {
        return Objects.requireNonNull(state.get(), "an outcome always has a state");
    }
}
