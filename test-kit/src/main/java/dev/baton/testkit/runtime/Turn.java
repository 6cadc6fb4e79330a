package dev.baton.testkit.runtime;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Exactly one thread has the turn. Passing it on is the only hand-off there is; being a volatile write, it carries everything that
 * was written before to the next thread, so that nothing else in the runtime needs to be shared with care.
 *
 * <p>A thread parks at once: spinning first made hand-offs slower, since the other thread needs the processor.
 */
final class Turn {
    private volatile Seat holder;

    Turn(Seat first) {
        this.holder = first;
    }

    /** The calling thread's seat if it has the turn. */
    @Nullable
    Seat mine() {
        Seat seat = holder;
        return seat.thread == Thread.currentThread() ? seat : null;
    }

    void pass(Seat to) {
        holder = to;
        LockSupport.unpark(to.thread);
    }

    /** Where the thread that has the turn is, for people. */
    String whereItIs() {
        Thread thread = holder.thread;
        return "thread " + thread.getName() + " at " + List.of(thread.getStackTrace());
    }

    /** Parks until the calling thread has the turn. */
    void await(Seat me) {
        await(me, Long.MAX_VALUE);
    }

    /** The same, but no longer than that; tells whether it has the turn. */
    boolean await(Seat me, Duration limit) {
        return await(me, limit.toNanos());
    }

    private boolean await(Seat me, long nanos) {
        boolean interrupted = false;
        long start = System.nanoTime();
        while (holder != me) {
            // an interrupt would make every park return at once; it is kept for the code that waits
            interrupted |= Thread.interrupted();
            long left = nanos - (System.nanoTime() - start);
            if (left <= 0) {
                break;
            }
            LockSupport.parkNanos(this, left);
        }
        if (interrupted) {
            me.thread.interrupt();
        }
        return holder == me;
    }
}
