package dev.baton.context;

import dev.baton.protocol.driver.DeviceRuntime;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs a step that holds a device's thread for too long, with the culprit. */
final class StepWatch<T> extends BehaviorInterceptor<T, T> {
    /** A step on a device's thread should take microseconds; beyond this it is told. */
    static final long LIMIT_NANOS = 5_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(StepWatch.class);

    private final DeviceRuntime runtime;
    private final String actor;
    /** What the actor was after its last message. */
    private @Nullable Behavior<T> last;

    private StepWatch(Class<T> messages, DeviceRuntime runtime, String actor) {
        super(messages);
        this.runtime = runtime;
        this.actor = actor;
    }

    static <T> Behavior<T> around(Class<T> messages, DeviceRuntime runtime, String actor, Behavior<T> behavior) {
        return Behaviors.intercept(() -> new StepWatch<>(messages, runtime, actor), behavior);
    }

    @Override
    public Behavior<T> aroundReceive(TypedActorContext<T> ctx, T message, ReceiveTarget<T> target) {
        long start = runtime.nanoTime();
        Behavior<T> next = target.apply(ctx, message);
        long took = runtime.nanoTime() - start;
        if (took > LIMIT_NANOS) {
            LOG.warn(
                    "actor={} message={} heldMs={}: a step held the device's thread",
                    actor,
                    message.getClass().getSimpleName(),
                    took / 1_000_000);
        }
        if (next == last) {
            // it goes on as it is, but says so with itself: Pekko would wrap it anew for every message
            return Behaviors.same();
        }
        last = next;
        return next;
    }
}
