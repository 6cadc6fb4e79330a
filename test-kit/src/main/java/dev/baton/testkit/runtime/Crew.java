package dev.baton.testkit.runtime;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.pekko.dispatch.Mailbox;
import org.jspecify.annotations.Nullable;

/** The workers of a runtime: made when needed, kept for its life. Touched only by the thread that has the turn. */
final class Crew {
    /** Most workers: threads that stand in waits, or belong to an actor. */
    static final int MAX_WORKERS = 256;

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    private final String name;
    private final StepLoop loop;
    private final Waits waits;
    private final Turn turn;
    private final List<Worker> all = new ArrayList<>();
    private final Deque<Worker> free = new ArrayDeque<>();
    private final IdentityHashMap<Runnable, Worker> owned = new IdentityHashMap<>();

    Crew(String name, StepLoop loop, Waits waits, Turn turn) {
        this.name = name;
        this.loop = loop;
        this.waits = waits;
        this.turn = turn;
    }

    /**
     * The worker on which a step belongs that may wait.
     *
     * @param free the calling thread if it is a worker that does not stand in a wait
     */
    Worker workerFor(Step step, @Nullable Worker free) {
        Worker own = step.place() == Step.Place.OWN_WORKER ? owned.get(step.body()) : null;
        if (own != null) {
            return own;
        }
        Worker worker = free != null && free.ownedBy == null ? free : take();
        if (step.place() == Step.Place.OWN_WORKER) {
            owned.put(step.body(), worker);
            worker.ownedBy = step.body();
        }
        return worker;
    }

    private Worker take() {
        Worker worker = free.poll();
        if (worker != null) {
            return worker;
        }
        if (all.size() == MAX_WORKERS) {
            throw new IllegalStateException(
                    "threads: " + MAX_WORKERS + ", the most there may be; in waits: " + waits.labels());
        }
        Worker fresh = new Worker(name + "-" + (all.size() + 1), loop, turn);
        all.add(fresh);
        fresh.start();
        return fresh;
    }

    /** A worker passes the turn on and has nothing more to do. */
    void free(Worker worker) {
        if (worker.ownedBy == null) {
            free.push(worker);
        }
    }

    /** A step has ended: if it was an actor's last, nobody owns its worker any more. */
    void done(Step step) {
        if (step.place() == Step.Place.OWN_WORKER && step.body() instanceof Mailbox mailbox && mailbox.isClosed()) {
            Worker worker = owned.remove(mailbox);
            if (worker != null) {
                worker.ownedBy = null;
            }
        }
    }

    /** After closing: lets one worker after another come out of its waits and end. */
    void dismiss(Seat owner) {
        for (Worker worker : all) {
            if (!worker.ended) {
                turn.pass(worker.seat);
                awaitTurn(owner);
            }
            try {
                worker.join(CLOSE_LIMIT.toMillis());
            } catch (InterruptedException e) {
                owner.thread.interrupt();
            }
        }
        free.clear();
        owned.clear();
        all.clear();
    }

    /** After closing: whoever has the turn gives it to the owner as soon as its code has come out of its waits. */
    void awaitTurn(Seat owner) {
        if (!turn.await(owner, CLOSE_LIMIT)) {
            throw new IllegalStateException("closed, but not ended within " + CLOSE_LIMIT + ": " + turn.whereItIs());
        }
    }
}
