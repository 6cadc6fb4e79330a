package dev.baton.testkit.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Virtual time and what is due in it: timers, and the limits of waits. Time is kept from the runtime's beginning and told from the
 * program's. Touched only by the thread that has the turn, but for {@link #nowNanos()}.
 */
final class VirtualClock {
    /** A point of time that never comes. */
    static final long NEVER = Long.MAX_VALUE;

    private final TreeSet<Due> dues = new TreeSet<>();
    private long lastSeq;
    private volatile long now;
    private volatile long origin;

    /** Time since the program began; any thread. */
    long nowNanos() {
        return now - origin;
    }

    /** Time since the runtime was made: what {@link Due#atNanos} counts in. */
    long absoluteNanos() {
        return now;
    }

    /** The absolute point so far from now; {@link #NEVER} if that is too far to count. */
    long after(long nanos) {
        return nanos > NEVER - now ? NEVER : now + Math.max(0, nanos);
    }

    void beginProgram() {
        origin = now;
    }

    /** The age of the next thing that is added. */
    long nextSeq() {
        return ++lastSeq;
    }

    void add(Due due) {
        dues.add(due);
    }

    void remove(Due due) {
        dues.remove(due);
    }

    int pending() {
        return dues.size();
    }

    /** When the next thing is due, or {@link #NEVER}. */
    long nextNanos() {
        return dues.isEmpty() ? NEVER : dues.first().atNanos;
    }

    /** Moves time on and fires what is due by then, in order. */
    void moveTo(long atNanos) {
        now = Math.max(now, atNanos);
        while (nextNanos() <= now) {
            dues.pollFirst().fire();
        }
    }

    /** Takes the timers of one scheduler out, in order. */
    List<Timer> removeTimers(Object scheduler) {
        List<Timer> removed = new ArrayList<>();
        dues.removeIf(due -> {
            Timer timer = Timer.of(due, scheduler);
            if (timer != null) {
                removed.add(timer);
            }
            return timer != null;
        });
        return removed;
    }

    void clear() {
        dues.clear();
    }
}
