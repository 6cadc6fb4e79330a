package dev.baton.protocol.driver;

import java.util.function.BooleanSupplier;

/**
 * The one door through which a driver or a host build waits, reads a clock or starts a thread (DESIGN section 7).
 *
 * <p>Baton hands an instance to {@link Driver#open}. In production it is backed by real threads; the test kit supplies
 * another one, under which the same driver runs one step at a time and replays from a seed. A driver that waits, sleeps,
 * reads {@code System.nanoTime()} or starts a thread by any other way can't be replayed.
 */
public interface DeviceRuntime {

    /**
     * Waits on the calling thread until {@code condition} holds or the limit has passed.
     *
     * <p>The condition is evaluated on the calling thread or on any other thread of the runtime, any number of times; it
     * must be quick, must not block and must have no effect. May block; never call it on a device's own thread.
     *
     * @param condition what is waited for
     * @param limitNanos longest wait in nanoseconds; zero or less only asks, {@link Long#MAX_VALUE} waits for ever
     * @return true if the condition held, false if the limit passed first
     */
    boolean await(BooleanSupplier condition, long limitNanos);

    /** Says that conditions others wait for may have changed. Never blocks; any thread. */
    void signal();

    /** The clock of this runtime in nanoseconds from an arbitrary origin. Never blocks; any thread. */
    long nanoTime();

    /**
     * Runs {@code body} on another thread of this runtime, soon. The body may {@link #await}.
     *
     * @param name what the thread is for, shown to people
     * @param body what it does; what it throws is reported, never lost
     */
    void fork(String name, Runnable body);
}
