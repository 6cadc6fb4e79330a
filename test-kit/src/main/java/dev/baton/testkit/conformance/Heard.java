package dev.baton.testkit.conformance;

import dev.baton.protocol.driver.CompletionListener;
import dev.baton.protocol.driver.DeviceRuntime;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts how often a run's end was told. */
final class Heard implements CompletionListener {
    private final DeviceRuntime runtime;
    private final AtomicInteger times = new AtomicInteger();

    Heard(DeviceRuntime runtime) {
        this.runtime = runtime;
    }

    @Override
    public void ended() {
        times.incrementAndGet();
        runtime.signal();
    }

    int times() {
        return times.get();
    }
}
