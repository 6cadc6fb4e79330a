package dev.baton.build;

import dev.baton.protocol.driver.DeviceRuntime;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** A runtime on real threads that asks again and again. */
final class SpinRuntime implements DeviceRuntime {
    private static final long LIMIT_NANOS = 20_000_000_000L;

    final AtomicInteger signals = new AtomicInteger();
    final AtomicInteger waits = new AtomicInteger();
    final List<Throwable> thrown = new CopyOnWriteArrayList<>();
    private final AtomicInteger running = new AtomicInteger();

    @Override
    public boolean await(BooleanSupplier condition, long limitNanos) {
        waits.incrementAndGet();
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begin >= Math.min(limitNanos, LIMIT_NANOS)) {
                throw new AssertionError("waited too long");
            }
            Thread.onSpinWait();
        }
        return true;
    }

    @Override
    public void signal() {
        signals.incrementAndGet();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void fork(String name, Runnable body) {
        running.incrementAndGet();
        Thread t = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (Throwable e) {
                        thrown.add(e);
                    } finally {
                        running.decrementAndGet();
                    }
                },
                name);
        t.setDaemon(true);
        t.start();
    }

    /** Waits until all that was forked has ended. */
    void join() {
        await(() -> running.get() == 0, Long.MAX_VALUE);
    }
}
