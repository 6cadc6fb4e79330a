package dev.baton.build;

import dev.baton.protocol.Holder;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What became of a run that some fence captured while it was live: written once by the ledger's thread when the run retires, read
 * by builds' threads (B8). No message is sent per access.
 */
public final class Outcome {
    /** How far the run is. */
    sealed interface State {
        enum Pending implements State {
            INSTANCE
        }

        enum Produced implements State {
            INSTANCE
        }

        record Failed(Holder by, String why) implements State {}

        record Unproven(Holder by, String why) implements State {}
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.Pending.INSTANCE);

    /** The run completed. */
    public boolean produced() {
        return state.compareAndSet(State.Pending.INSTANCE, State.Produced.INSTANCE);
    }

    /** The run failed. */
    public boolean failed(Holder by, String why) {
        return state.compareAndSet(State.Pending.INSTANCE, new State.Failed(by, why));
    }

    /** The run ended unproven. */
    public boolean unproven(Holder by, String why) {
        return state.compareAndSet(State.Pending.INSTANCE, new State.Unproven(by, why));
    }

    /** Whether nothing is known yet. */
    public boolean isPending() {
        return state.get() == State.Pending.INSTANCE;
    }

    State state() {
        return Objects.requireNonNull(state.get(), "an outcome always has a state");
    }
}
