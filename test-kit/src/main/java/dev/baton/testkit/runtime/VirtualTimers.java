package dev.baton.testkit.runtime;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import scala.concurrent.ExecutionContext;

/** Timers by due time, then by the order in which they were set. Touched only by the thread that has the turn. */
final class VirtualTimers {
    /** One timer; {@code interval} is zero if it fires once. */
    static final class Timer {
        final long dueNanos;
        final long seq;
        final long intervalNanos;
        final Runnable body;
        final ExecutionContext target;
        final Handle handle;

        Timer(long dueNanos, long seq, long intervalNanos, Runnable body, ExecutionContext target, Handle handle) {
            this.dueNanos = dueNanos;
            this.seq = seq;
            this.intervalNanos = intervalNanos;
            this.body = body;
            this.target = target;
            this.handle = handle;
        }
    }

    /** Whether a timer is over or was cancelled. */
    static final class Handle {
        boolean over;
        boolean cancelled;
    }

    private final PriorityQueue<Timer> queue =
            new PriorityQueue<>(Comparator.<Timer>comparingLong(t -> t.dueNanos).thenComparingLong(t -> t.seq));
    private long lastSeq;

    Handle add(long dueNanos, long intervalNanos, Runnable body, ExecutionContext target) {
        Handle handle = new Handle();
        queue.add(new Timer(dueNanos, ++lastSeq, intervalNanos, body, target, handle));
        return handle;
    }

    /** When the next one is due, or null. */
    @Nullable
    Long nextDue() {
        while (true) {
            Timer t = queue.peek();
            if (t == null) {
                return null;
            }
            if (!t.handle.over) {
                return t.dueNanos;
            }
            queue.poll();
        }
    }

    /** Hands the next one to its executor; a repeating one is set anew. */
    void fireNext() {
        nextDue();
        Timer t = queue.poll();
        if (t == null) {
            return;
        }
        if (t.intervalNanos > 0) {
            queue.add(new Timer(t.dueNanos + t.intervalNanos, ++lastSeq, t.intervalNanos, t.body, t.target, t.handle));
        } else {
            t.handle.over = true;
        }
        t.target.execute(t.body);
    }
}
