package dev.baton.testkit.runtime;

import org.jspecify.annotations.Nullable;
import scala.Function0;
import scala.concurrent.BlockContext;
import scala.concurrent.CanAwait;

/**
 * A thread on which steps that may block run. While it has nothing of its own it is free and waits for the turn; when it gets the
 * turn it has been given a step, and after that it goes on with the loop until the turn belongs elsewhere.
 */
final class Worker extends Thread implements BlockContext {
    final Seat seat = new Seat(this);

    /** The mailbox whose steps alone it runs, of those that may wait. Touched only by the thread that has the turn. */
    @Nullable
    Runnable ownedBy;

    /** Whether it has given the turn back for good. Touched only by the thread that has the turn. */
    boolean ended;

    private final StepLoop loop;
    private final Turn turn;
    private @Nullable Step first;

    Worker(String name, StepLoop loop, Turn turn) {
        super(name);
        setDaemon(true);
        this.loop = loop;
        this.turn = turn;
    }

    /** The step to begin with when the turn comes. */
    void give(Step step) {
        first = step;
    }

    @Override
    public void run() {
        turn.await(seat);
        while (!loop.closed()) {
            Step step = first;
            first = null;
            if (step != null) {
                loop.perform(seat, step);
            }
            if (!loop.closed()) {
                loop.runFree(this);
                turn.await(seat);
            }
        }
        ended = true;
        loop.returnTurn();
    }

    /** Pekko waits for a future of its own: the system goes on meanwhile. */
    @Override
    public <T> T blockOn(Function0<T> thunk, CanAwait permission) {
        loop.pump();
        return thunk.apply();
    }
}
