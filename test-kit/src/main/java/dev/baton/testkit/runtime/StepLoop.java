package dev.baton.testkit.runtime;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs what the {@link Agenda} chooses, on the thread on which it belongs.
 *
 * <p>The loop migrates. Whoever has the turn and nothing to do but wait runs it: the owner while the test waits for rest, a worker
 * after its step, and a worker inside a wait. A thread that stands in a wait runs steps that never block nested on its own stack, so
 * that they cost no hand-off; it gives the turn away only
 *
 * <ul>
 *   <li>for a step that may block, to a free worker,
 *   <li>for a wait that can go on, to the thread that stands in it,
 *   <li>at rest, to the thread that waits for rest.
 * </ul>
 *
 * <p>A step that must not block can't wait, so every thread has at most one wait for a condition on its stack, and waits can be
 * released in any order. What else may lie above it is Pekko waiting for a future of its own, which goes on at the next rest.
 *
 * <p>Everything here is touched only by the thread that has the turn, but for {@link #mine()} and {@link #closed()}.
 */
final class StepLoop {
    private final Agenda agenda;
    private final Failures failures;
    private final Duration stuckAfter;
    private final Seat owner = new Seat(Thread.currentThread());
    private final Turn turn = new Turn(owner);
    private final Crew crew;
    private long handOffs;
    private @Nullable Throwable fatal;
    private volatile boolean closed;

    StepLoop(String name, Agenda agenda, Failures failures, Duration stuckAfter) {
        this.crew = new Crew(name, this, agenda.waits(), turn);
        this.agenda = agenda;
        this.failures = failures;
        this.stuckAfter = stuckAfter;
    }

    // ---- waits

    /** The step that runs on the calling thread waits for a condition. */
    boolean await(Seat me, Step step, BooleanSupplier condition, long limitNanos) {
        boolean held = condition.getAsBoolean();
        if (limitNanos <= 0 || (held && !step.mayWait())) {
            return held;
        }
        if (!step.mayWait()) {
            throw new IllegalStateException("'" + step.label() + "' waits, but runs where nothing may block: see "
                    + BlockingExecutorConfigurator.class.getName());
        }
        if (held && !agenda.contested()) {
            return true;
        }
        VirtualClock clock = agenda.clock();
        Wait wait = new Wait(me, step.label(), clock.nextSeq(), condition, clock.after(limitNanos));
        stand(me, wait);
        if (wait.failure != null) {
            throw rethrow(wait.failure);
        }
        return wait.held;
    }

    /**
     * Waits for rest on the calling thread; tells whether the condition ended it.
     *
     * @param forNanos virtual time that passes meanwhile, when nothing else can go on
     */
    private boolean rest(Seat me, BooleanSupplier condition, long forNanos, @Nullable Supplier<Boolean> atRest) {
        VirtualClock clock = agenda.clock();
        Wait wait = new Wait(me, clock.nextSeq(), condition, clock.after(forNanos), atRest);
        stand(me, wait);
        Throwable failure = fatal;
        if (failure != null && me == owner) {
            fatal = me.innermost == null ? null : failure;
            throw rethrow(failure);
        }
        return wait.held;
    }

    /** The test waits for rest. */
    boolean ownerRests(BooleanSupplier condition, long forNanos, @Nullable Supplier<Boolean> atRest) {
        return rest(owner, condition, forNanos, atRest);
    }

    /** The labels of the waits that stand. */
    List<String> standing() {
        return agenda.waits().labels();
    }

    /** Pekko waits for a future of its own on the calling thread: whatever can go on does. */
    void pump() {
        Seat me = turn.mine();
        if (me != null && !closed) {
            rest(me, Agenda.NEVER_HOLDS, 0, null);
        }
    }

    private void stand(Seat me, Wait wait) {
        agenda.stand(wait);
        try {
            run(me);
        } finally {
            agenda.leave(wait);
        }
        if (closed) {
            throw new RuntimeClosed();
        }
    }

    private static RuntimeException rethrow(Throwable failure) {
        if (failure instanceof Error e) {
            throw e;
        }
        throw (RuntimeException) failure;
    }

    // ---- the loop

    /** A thread that stands in a wait: until the wait has been chosen, here or by another thread. */
    private void run(Seat me) {
        Seat to;
        do {
            to = step(me, null);
        } while (to == null);
        if (to == me) {
            return;
        }
        pass(to);
        if (me == owner) {
            awaitTurnOrGiveUp();
        } else {
            turn.await(me);
        }
    }

    /** A worker that has nothing of its own: until the turn belongs elsewhere. */
    void runFree(Worker worker) {
        Seat to;
        do {
            to = step(worker.seat, worker);
        } while (to == null);
        crew.free(worker);
        pass(to);
    }

    private void pass(Seat to) {
        handOffs++;
        turn.pass(to);
    }

    /**
     * Takes one step; then who gets the turn, or null if the loop goes on here.
     *
     * @param free the calling thread if it is a worker that does not stand in a wait
     */
    private @Nullable Seat step(Seat me, @Nullable Worker free) {
        if (fatal != null || closed) {
            return owner;
        }
        try {
            Object next = agenda.next(me);
            if (next instanceof Step step) {
                boolean here = free != null || me.current == null || me.current.nests();
                if (here && !step.mayWait()) {
                    perform(me, step);
                    return null;
                }
                Worker worker = crew.workerFor(step, free);
                if (worker == free) {
                    perform(me, step);
                    return null;
                }
                worker.give(step);
                return worker.seat;
            }
            return next instanceof Wait wait ? wait.seat : null;
        } catch (RuntimeException | Error e) {
            // a limit of ours, or thrown by what a test gave us to call: the test must hear of it, on its own thread
            fatal = e;
            return owner;
        }
    }

    /** Runs a step on the calling thread; whatever it throws is kept. */
    void perform(Seat me, Step step) {
        Step before = me.current;
        me.current = step;
        try {
            step.body().run();
        } catch (RuntimeClosed end) {
            // a wait that stood when the runtime was closed has unwound
        } catch (Throwable uncaught) { // an error of one step must not take the loop with it
            failures.uncaught(uncaught);
        } finally {
            me.current = before;
            crew.done(step);
            if (me != owner && me.thread.isInterrupted()) {
                Thread.interrupted(); // no business of the next step
            }
        }
    }

    // ---- turns

    /** The owner doesn't wait for ever for a step that blocks outside the runtime: it closes the runtime and says where. */
    private void awaitTurnOrGiveUp() {
        long before;
        do {
            before = agenda.progress().get();
            if (turn.await(owner, stuckAfter)) {
                return;
            }
        } while (agenda.progress().get() != before);
        closed = true;
        throw new IllegalStateException("one step has run for " + stuckAfter
                + ": it blocks, but not in a wait of this runtime: " + turn.whereItIs());
    }

    /** The calling thread's seat if it has the turn; any thread. */
    @Nullable
    Seat mine() {
        return turn.mine();
    }

    /** Whether the caller is the test's own code, between two waits. */
    boolean isTestCode() {
        return owner.thread == Thread.currentThread() && owner.current == null && owner.innermost == null;
    }

    boolean closed() {
        return closed;
    }

    long handOffs() {
        return handOffs;
    }

    /** Ends every wait and every worker. */
    void close() {
        closed = true;
        crew.awaitTurn(owner);
        crew.dismiss(owner);
        agenda.clear();
    }

    /** After closing: a worker that ends. */
    void returnTurn() {
        turn.pass(owner);
    }
}
