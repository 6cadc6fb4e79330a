package dev.baton.sim;

import dev.baton.protocol.driver.DeviceRuntime;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** A runtime on real threads that asks again and again. */
final class ThreadRuntime implements DeviceRuntime {
    final List<Throwable> thrown = new CopyOnWriteArrayList<>();

    @Override
    public boolean await(BooleanSupplier condition, long limitNanos) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begin >= limitNanos) {
                return condition.getAsBoolean();
            }
            Thread.onSpinWait();
        }
        return true;
    }

    @Override
    public void signal() {}

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void fork(String name, Runnable body) {
        Thread t = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (Throwable e) {
                        thrown.add(e);
                    }
                },
                name);
        t.setDaemon(true);
        t.start();
    }
}
