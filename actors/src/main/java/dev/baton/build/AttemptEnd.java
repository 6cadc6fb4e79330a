package dev.baton.build;

import dev.baton.protocol.build.Access;
import dev.baton.protocol.build.BuildSignal;
import dev.baton.protocol.driver.CallAborted;
import dev.baton.protocol.driver.DeviceRuntime;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Whether and why an attempt is over: the latch, and the threads that wait for something of this attempt and must hear of
 * it. That the build has returned closes the latch too, so that a thread which it left behind touches nothing any more.
 */
final class AttemptEnd {
    /** Latched last of all, told from a failure by identity. */
    private static final BuildLatch.Cause RETURNED = new BuildLatch.Cause.Own("the build has returned", null);

    /** What was thrown out of a scope, and which: the innermost counts. */
    private record Thrown(Throwable what, String scope) {}

    private final BuildLatch latch;
    private final AtomicReference<@Nullable Thrown> thrown;
    private final DeviceRuntime runtime;
    private final String scope;

    AttemptEnd(DeviceRuntime runtime) {
        this(new BuildLatch(), new AtomicReference<>(), runtime, "");
    }

    private AttemptEnd(
            BuildLatch latch, AtomicReference<@Nullable Thrown> thrown, DeviceRuntime runtime, String scope) {
        this.latch = latch;
        this.thrown = thrown;
        this.runtime = runtime;
        this.scope = scope;
    }

    /** The end of the same attempt, as a scope of the build sees it: its failures carry that label. */
    AttemptEnd in(String label) {
        return new AttemptEnd(latch, thrown, runtime, label);
    }

    /** The label of this scope. */
    String scope() {
        return scope;
    }

    /** Whether every operation returns at once (B4). */
    boolean over() {
        return latch.isSet();
    }

    /** @throws BuildSignal if the attempt is over */
    void check() {
        if (over()) {
            throw new BuildSignal(Access.Ended.INSTANCE);
        }
    }

    /** A failure; the first one counts (B4). */
    void fail(BuildLatch.Cause cause) {
        fail(cause, scope);
    }

    private void fail(BuildLatch.Cause cause, String where) {
        if (latch.latch(cause, where)) {
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
        Thrown left = this.thrown.get();
        fail(BuildLatch.Cause.Own.of(thrown), left != null && left.what() == thrown ? left.scope() : scope);
    }

    /** Something was thrown out of this scope. It is no failure yet: the build may catch it. */
    void leftBy(Throwable what) {
        Thrown old = thrown.get();
        if (old == null || old.what() != what) {
            thrown.compareAndSet(old, new Thrown(what, scope));
        }
    }

    /** The build has returned. */
    void returned() {
        fail(RETURNED);
    }

    /** In which scope the first failure happened. */
    String failedIn() {
        return latch.scope();
    }

    /** The first failure, or null. */
    BuildLatch.@Nullable Cause cause() {
        BuildLatch.Cause cause = latch.cause();
        return cause == RETURNED ? null : cause;
    }
}
