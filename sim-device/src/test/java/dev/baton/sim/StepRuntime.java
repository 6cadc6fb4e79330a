package dev.baton.sim;

import dev.baton.protocol.driver.DeviceRuntime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/** One thread and virtual time: whoever waits runs what was forked, and when nothing can run time passes. */
final class StepRuntime implements DeviceRuntime {
    int forks;
    /** So much too late every wait ends whose limit passes, in nanoseconds. */
    long lateNanos;

    private final Deque<Runnable> ready = new ArrayDeque<>();
    private long now;

    @Override
    public boolean await(BooleanSupplier condition, long limitNanos) {
        long deadline = limitNanos == Long.MAX_VALUE ? limitNanos : now + Math.max(0, limitNanos);
        while (!condition.getAsBoolean()) {
            if (!ready.isEmpty()) {
                ready.remove().run();
            } else if (deadline == Long.MAX_VALUE) {
                throw new AssertionError("nothing can run and nothing waits for time");
            } else {
                now = Math.max(now, deadline + lateNanos);
                return condition.getAsBoolean();
            }
        }
        return true;
    }

    /** Runs all that can run. */
    void rest() {
        while (!ready.isEmpty()) {
            ready.remove().run();
        }
    }

    @Override
    public void signal() {}

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public void fork(String name, Runnable body) {
        forks++;
        ready.add(body);
    }
}
