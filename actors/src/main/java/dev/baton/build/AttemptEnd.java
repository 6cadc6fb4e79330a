package dev.baton.build;

import dev.baton.protocol.build.Access;
import dev.baton.protocol.build.BuildSignal;
import dev.baton.protocol.driver.CallAborted;
import dev.baton.protocol.driver.DeviceRuntime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether and why an attempt is over: the latch, and the threads that wait for something of this attempt and must hear of
 * it. That the build has returned closes the latch too, so that a thread which it left behind touches nothing any more.
 */
final class AttemptEnd {
    /** Latched last of all, told from a failure by identity. */
    private static final BuildLatch.Cause RETURNED = new BuildLatch.Cause.Own("the build has returned", null);

    private final BuildLatch latch = new BuildLatch();
    private final DeviceRuntime runtime;

    AttemptEnd(DeviceRuntime runtime) {
        this.runtime = runtime;
    }

    /** Whether every operation returns at once (B4). */
    boolean over() {
        return latch.cause() != null;
    }

    /** @throws BuildSignal if the attempt is over */
    void check() {
        if (over()) {
            throw new BuildSignal(Access.Ended.INSTANCE);
        }
    }

    /** A failure; the first one counts (B4). */
    void fail(BuildLatch.Cause cause) {
        if (latch.latch(cause)) {
            runtime.signal();
        }
    }

    /** The build gives up, in words. */
    void fail(String message) {
        fail(new BuildLatch.Cause.Own(Objects.requireNonNullElse(message, "the build gave no cause"), null));
    }

    /** What a driver or a service threw in the build's name is the build's failure, even where the build swallows it. */
    void fail(Throwable thrown) {
        if (thrown instanceof CallAborted dying) {
            throw dying;
        }
        fail(BuildLatch.Cause.Own.of(thrown));
    }

    /** The build has returned. */
    void returned() {
        fail(RETURNED);
    }

    /** The first failure, or null. */
    BuildLatch.@Nullable Cause cause() {
        BuildLatch.Cause cause = latch.cause();
        return cause == RETURNED ? null : cause;
    }
}
