package dev.baton.runtime;

import dev.baton.protocol.driver.DeviceRuntime;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runtime of production: real threads, the JVM's clock. Any thread may use it.
 *
 * <p>A wait first spins, since what a run waits for often comes within microseconds and waking a thread costs 10 to 20 of them; then it
 * parks until a {@link #signal}, but looks again by itself in steps that grow with the time waited: a driver may have to be asked,
 * and a hint may be missing. The last stretch before a limit is spun, because a park ends late.
 *
 * <p>No wake-up is lost: a thread registers before it looks, so that a signal after the look finds it.
 */
public final class ThreadRuntime implements DeviceRuntime, AutoCloseable {
    /** A wait spins so long before it parks. */
    static final long SPIN_NANOS = 20_000;

    /**
     * A wait whose limit is nearer than this spins to the end: a park is late by about so much. No wait yields: schedulers may hold
     * that against a thread for milliseconds.
     */
    static final long FINE_NANOS = 80_000;

    /** Shortest and longest time after which a parked thread that gets no signal looks again. */
    static final long MIN_PARK_NANOS = 200_000;

    static final long MAX_PARK_NANOS = 10_000_000;

    /** Between the two it looks again after this part of the time it has waited. */
    private static final int PARK_FRACTION = 8;

    /** Most forked bodies that may run at once. */
    static final int MAX_FORKS = 1024;

    private static final long KEEP_IDLE_SECONDS = 10;
    private static final Logger LOG = LoggerFactory.getLogger(ThreadRuntime.class);

    private final Map<Thread, BooleanSupplier> waiting = new ConcurrentHashMap<>();
    private final BiConsumer<String, Throwable> uncaught;
    private final long minParkNanos;
    private final long maxParkNanos;
    private final ThreadPoolExecutor pool = new ThreadPoolExecutor(
            0, MAX_FORKS, KEEP_IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), ThreadRuntime::thread);

    /** What forked bodies throw is logged as an error. */
    public ThreadRuntime() {
        this((name, cause) -> LOG.error("thread={} failed", name, cause));
    }

    /** What forked bodies throw goes to {@code uncaught}, with the name of the fork, on the thread of the body. */
    public ThreadRuntime(BiConsumer<String, Throwable> uncaught) {
        this(uncaught, MIN_PARK_NANOS, MAX_PARK_NANOS);
    }

    /** For tests: with parks so long that a lost wake-up shows. */
    ThreadRuntime(BiConsumer<String, Throwable> uncaught, long minParkNanos, long maxParkNanos) {
        this.uncaught = uncaught;
        this.minParkNanos = minParkNanos;
        this.maxParkNanos = maxParkNanos;
    }

    private static Thread thread(Runnable body) {
        Thread thread = new Thread(body, "baton-idle");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public boolean await(BooleanSupplier condition, long limitNanos) {
        if (condition.getAsBoolean()) {
            return true;
        }
        if (limitNanos <= 0) {
            return false;
        }
        long start = System.nanoTime();
        if (spinUntil(condition, start, Math.min(limitNanos, SPIN_NANOS))) {
            return true;
        }
        return limitNanos > SPIN_NANOS && park(condition, start, limitNanos);
    }

    private static boolean spinUntil(BooleanSupplier condition, long start, long untilNanos) {
        while (System.nanoTime() - start < untilNanos) {
            Thread.onSpinWait();
            if (condition.getAsBoolean()) {
                return true;
            }
        }
        return condition.getAsBoolean();
    }

    private boolean park(BooleanSupplier condition, long start, long limitNanos) {
        Thread me = Thread.currentThread();
        boolean interrupted = false;
        waiting.put(me, condition);
        try {
            while (!condition.getAsBoolean()) {
                long waited = System.nanoTime() - start;
                long left = limitNanos - waited;
                if (left <= FINE_NANOS) {
                    return spinUntil(condition, start, limitNanos);
                }
                // an interrupt would make every park return at once; it is kept for the caller
                interrupted |= Thread.interrupted();
                long step = Math.max(minParkNanos, waited / PARK_FRACTION);
                LockSupport.parkNanos(this, Math.min(Math.min(step, maxParkNanos), left - FINE_NANOS));
            }
            return true;
        } finally {
            waiting.remove(me);
            if (interrupted) {
                me.interrupt();
            }
        }
    }

    @Override
    public void signal() {
        if (!waiting.isEmpty()) {
            waiting.forEach(ThreadRuntime::wakeIfDue);
        }
    }

    /** Only a thread that can go on is woken: the others would look, and sleep again. */
    private static void wakeIfDue(Thread thread, BooleanSupplier condition) {
        boolean due;
        try {
            due = condition.getAsBoolean();
        } catch (RuntimeException | Error e) {
            due = true; // it is thrown where it is waited for
        }
        if (due) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    /**
     * {@inheritDoc}
     *
     * @throws RejectedExecutionException if this runtime is closed, or more than {@value #MAX_FORKS} bodies run
     */
    @Override
    public void fork(String name, Runnable body) {
        try {
            pool.execute(() -> run(name, body));
        } catch (RejectedExecutionException e) {
            throw new RejectedExecutionException(
                    pool.isShutdown()
                            ? "fork '" + name + "' of a closed runtime"
                            : "fork '" + name + "': " + MAX_FORKS + " forks run already, the most there may be",
                    e);
        }
    }

    private void run(String name, Runnable body) {
        Thread me = Thread.currentThread();
        String idle = me.getName();
        me.setName(name);
        try {
            body.run();
        } catch (Throwable cause) { // reported, never lost, whatever it is
            uncaught.accept(name, cause);
        } finally {
            me.setName(idle);
        }
    }

    /** Starts no more threads. Those that run are daemons, and end with what they do; a wait that stands goes on. */
    @Override
    public void close() {
        pool.shutdown();
    }
}
