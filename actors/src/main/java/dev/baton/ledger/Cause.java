package dev.baton.ledger;

import dev.baton.protocol.Holder;

/**
 * Why bytes are void or marked.
 *
 * @param by the run (or copy) that should have written them
 * @param dispatch its dispatch id; below every run's for a copy
 * @param touched whether it may have written some of them
 * @param why the first cause, for a person
 */
public record Cause(Holder by, long dispatch, boolean touched, String why) {
    /** The dispatch id of causes that are no runs: every run is behind them. */
    public static final long BEFORE_ALL_RUNS = Long.MIN_VALUE;
}
