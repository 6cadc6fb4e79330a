package dev.baton.runtime;

import dev.baton.protocol.driver.DeviceRuntime;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits by spinning briefly, then parking in bounded steps; a signal wakes all who wait. The last part of a timed wait is spun, since
 * a sleep is too coarse.
 */
public final class ThreadRuntime implements DeviceRuntime, AutoCloseable {
    /** A wait spins so long before it parks. */
    static final long SPIN_NANOS = 30_000;

    /** A wait whose end is nearer than this spins to the end: a park is late by about half of it. */
    static final long FINE_NANOS = 250_000;

    /** Longest single park: a lost signal costs no more. */
    static final long PARK_NANOS = 2_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(ThreadRuntime.class);

    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicLong threads = new AtomicLong();
    private final ExecutorService pool = Executors.newCachedThreadPool(body -> {
        Thread t = new Thread(body, "baton-" + threads.incrementAndGet());
        t.setDaemon(true);
        return t;
    });

    @Override
    public boolean await(BooleanSupplier condition, long limitNanos) {
        if (condition.getAsBoolean()) {
            return true;
        }
        if (limitNanos <= 0) {
            return false;
        }
        long start = System.nanoTime();
        long spun = 0;
        while (spun < SPIN_NANOS) {
            Thread.onSpinWait();
            if (condition.getAsBoolean()) {
                return true;
            }
            spun = System.nanoTime() - start;
            if (spun >= limitNanos) {
                return condition.getAsBoolean();
            }
        }
        return park(condition, start, limitNanos);
    }

    private boolean park(BooleanSupplier condition, long start, long limitNanos) {
        Thread me = Thread.currentThread();
        waiting.add(me);
        try {
            while (true) {
                // registered before it looks: a signal after the look wakes the park below
                if (condition.getAsBoolean()) {
                    return true;
                }
                long left = limitNanos - (System.nanoTime() - start);
                if (left <= 0) {
                    return condition.getAsBoolean();
                }
                if (left < FINE_NANOS) {
                    // leaves the processor to whoever needs it: on few cores a device's own thread would starve
                    Thread.yield();
                } else {
                    LockSupport.parkNanos(this, Math.min(PARK_NANOS, left - FINE_NANOS));
                }
            }
        } finally {
            waiting.remove(me);
        }
    }

    @Override
    public void signal() {
        for (Thread t : waiting) {
            LockSupport.unpark(t);
        }
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void fork(String name, Runnable body) {
        pool.execute(() -> {
            Thread me = Thread.currentThread();
            String before = me.getName();
            me.setName(name);
            try {
                body.run();
            } catch (RuntimeException | LinkageError | AssertionError e) {
                LOG.error("thread={} failed", name, e);
            } finally {
                me.setName(before);
            }
        });
    }

    /** Starts no more threads; those that run are daemons and end with what they do. */
    @Override
    public void close() {
        pool.shutdown();
    }
}
