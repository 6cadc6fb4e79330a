package dev.baton.context;

import dev.baton.protocol.driver.DeviceRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs a step that holds a device's thread for too long, with what was heard in it. */
final class StepWatch {
    /** A step on a device's thread should take microseconds; beyond this it is told. */
    static final long LIMIT_NANOS = 5_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(StepWatch.class);

    private final DeviceRuntime runtime;
    private final String device;
    private final List<Object> heard = new ArrayList<>();
    private long start;

    StepWatch(DeviceRuntime runtime, String device) {
        this.runtime = runtime;
        this.device = device;
    }

    void begins() {
        heard.clear();
        start = runtime.nanoTime();
    }

    void heard(Object message) {
        heard.add(message);
    }

    void ends() {
        long took = runtime.nanoTime() - start;
        if (took > LIMIT_NANOS) {
            LOG.warn(
                    "device={} messages={} heldMs={}: a step held the device's thread",
                    device,
                    heard.stream().map(StepWatch::name).collect(Collectors.joining(",")),
                    took / 1_000_000);
        }
    }

    private static String name(Object message) {
        return message instanceof ContextMessage.ToSlot s
                ? "slot-" + s.slot() + "/" + s.message().getClass().getSimpleName()
                : message.getClass().getSimpleName();
    }
}
