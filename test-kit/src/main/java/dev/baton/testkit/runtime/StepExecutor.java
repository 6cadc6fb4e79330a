package dev.baton.testkit.runtime;

import com.typesafe.config.Config;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pekko.dispatch.Mailbox;
import scala.concurrent.ExecutionContextExecutor;

/**
 * Where a system hands over what it wants to run: the default executor of its dispatchers, the blocking one, and its timers. Any
 * thread may come, but one that has no turn is remembered.
 */
final class StepExecutor implements ExecutionContextExecutor {
    private static final Map<String, StepExecutor> OPEN = new ConcurrentHashMap<>();

    private final String id;
    private final Agenda agenda;
    private final StepLoop loop;
    private final Labels labels;
    private final Failures failures;

    StepExecutor(String id, Agenda agenda, StepLoop loop, Labels labels, Failures failures) {
        this.id = id;
        this.agenda = agenda;
        this.loop = loop;
        this.labels = labels;
        this.failures = failures;
        OPEN.put(id, this);
    }

    /** The one of the runtime to which a system with that configuration belongs. */
    static StepExecutor of(Config config) {
        StepExecutor executor = OPEN.get(config.getString(Systems.RUNTIME_ID));
        if (executor == null) {
            throw new IllegalStateException("the deterministic runtime of this system is closed");
        }
        return executor;
    }

    String id() {
        return id;
    }

    /** Makes a step ready that never waits. */
    @Override
    public void execute(Runnable body) {
        execute(body, Step.Place.ANYWHERE);
    }

    void execute(Runnable body, Step.Place place) {
        if (loop.mine() != null && !loop.closed()) {
            add(body, place);
        } else {
            onTurn("hands over " + body.getClass().getName(), () -> add(body, place));
        }
    }

    private void add(Runnable body, Step.Place place) {
        if (body instanceof Mailbox mailbox) {
            agenda.add(labels.of(mailbox), body, place, true);
        } else {
            // callbacks run in batches that a thread keeps to itself: nothing may run in between on that thread
            agenda.add("task", body, place == Step.Place.ANYWHERE ? place : Step.Place.WORKER, false);
        }
    }

    void fork(String name, Runnable body) {
        onTurn("forks " + name, () -> agenda.add(name, body, Step.Place.WORKER, true));
    }

    /** Does something now if the caller has the turn; else it is noted, and done by the next thread that has it. */
    void onTurn(String what, Runnable deed) {
        if (loop.closed()) {
            return;
        }
        if (loop.mine() != null) {
            deed.run();
        } else {
            failures.foreign(what);
            agenda.post(deed);
        }
    }

    @Override
    public void reportFailure(Throwable cause) {
        failures.uncaught(cause);
    }

    VirtualClock clock() {
        return agenda.clock();
    }

    /** Whether it was open until now. */
    boolean close() {
        return OPEN.remove(id) != null;
    }
}
