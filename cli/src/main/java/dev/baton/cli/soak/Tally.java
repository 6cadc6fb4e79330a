package dev.baton.cli.soak;

import dev.baton.cli.UserError;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunReply;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** Counts answers; each must be the expected one. One thread expects and waits, actors count. */
final class Tally {
    /** No round takes longer, but of a broken device. */
    private static final long LIMIT_SECONDS = 60;

    private final Semaphore answered = new Semaphore(0);
    private final AtomicLong open = new AtomicLong();
    private final AtomicReference<@Nullable String> problem = new AtomicReference<>();
    private final Map<String, AtomicLong> ends = new ConcurrentHashMap<>();
    private final Map<String, String> expected = new ConcurrentHashMap<>();

    /** Runs of that name end so. */
    void expect(String run, String end) {
        expected.put(run, end);
    }

    /** So many answers are to come before {@link #await}. */
    void opening(int answers) {
        open.set(answers);
    }

    /** Waits for all of them. */
    void await() throws InterruptedException {
        boolean all = answered.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS);
        String wrong = problem.get();
        if (wrong != null) {
            throw new UserError(wrong);
        }
        if (!all) {
            throw new UserError(open + " answers are missing after " + LIMIT_SECONDS + " s");
        }
    }

    Map<String, Long> ends() {
        Map<String, Long> counts = new TreeMap<>();
        ends.forEach((end, n) -> counts.put(end, n.get()));
        return counts;
    }

    private void one() {
        if (open.decrementAndGet() == 0) {
            answered.release();
        }
    }

    /** Counts ends of runs. */
    Behavior<RunReply> runs() {
        return Behaviors.receiveMessage(r -> {
            if (r instanceof RunReply.Rejected rejected) {
                problem.compareAndSet(
                        null,
                        "run " + rejected.name() + " was rejected: "
                                + rejected.refusal().message());
                one();
            } else if (r instanceof RunReply.Finished f) {
                String end =
                        f.failure() == null ? "COMPLETED" : f.failure().reason().name();
                ends.computeIfAbsent(end, e -> new AtomicLong()).incrementAndGet();
                String due = expected.getOrDefault(f.name(), "COMPLETED");
                if (!end.equals(due)) {
                    problem.compareAndSet(null, "run " + f.name() + " should have ended " + due + ", but ended " + f);
                }
                one();
            }
            return Behaviors.same();
        });
    }

    /** Counts answers to one kind of command. */
    Behavior<Reply> answers(String what, Predicate<Reply> good) {
        return Behaviors.receiveMessage(r -> {
            if (!good.test(r)) {
                problem.compareAndSet(null, what + " was answered " + r);
            }
            one();
            return Behaviors.same();
        });
    }
}
