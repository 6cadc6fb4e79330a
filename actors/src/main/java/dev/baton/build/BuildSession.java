package dev.baton.build;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.build.Access;
import dev.baton.protocol.build.HostBuild;
import dev.baton.protocol.driver.CallAborted;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.Preparation;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of one run's host build: the context that user code sees outside all scopes, and how the attempt came out.
 *
 * <p>{@link #run} is called once, on the slot's thread; then {@link #cause} says whether the attempt is good. What the build
 * does is checked and carried out by {@link Accesses} (elements), {@link Tasks} (tasks, scratch) and {@link Questions} (asking devices).
 */
public final class BuildSession extends ScopedContext {
    private final AttemptEnd end;
    private final Attempt attempt;

    /** What an attempt allocated; null device means its own. */
    public record Allocation(@Nullable ActorRef<DeviceCommand> device, BufferHandle buffer) {}

    /**
     * A session for one attempt.
     *
     * @param attempt counted from 1
     * @param kernel what {@link #emitOwn} emits
     * @param fence taken when this preparation started (B8)
     * @param runtime every wait goes through it, and it is signalled when the attempt ends
     */
    public BuildSession(
            int attempt,
            String runName,
            String kernel,
            List<BuildArgument> arguments,
            Fence fence,
            Device device,
            Preparation preparation,
            DeviceRuntime runtime,
            BuildServices services) {
        this(
                attempt,
                runName,
                kernel,
                List.copyOf(arguments),
                fence,
                new AttemptEnd(runtime),
                device,
                preparation,
                runtime,
                services);
    }

    private BuildSession(
            int attempt,
            String runName,
            String kernel,
            List<BuildArgument> arguments,
            Fence fence,
            AttemptEnd end,
            Device device,
            Preparation preparation,
            DeviceRuntime runtime,
            BuildServices services) {
        this(
                made(
                        attempt,
                        runName,
                        kernel,
                        arguments,
                        fence,
                        new DriverCalls(device, preparation, runtime, end),
                        runtime,
                        services),
                end);
    }

    private BuildSession(Attempt attempt, AttemptEnd end) {
        super(attempt, end);
        this.attempt = attempt;
        this.end = end;
    }

    private static Attempt made(
            int attempt,
            String runName,
            String kernel,
            List<BuildArgument> arguments,
            Fence fence,
            DriverCalls calls,
            DeviceRuntime runtime,
            BuildServices services) {
        return new Attempt(
                attempt,
                runName,
                kernel,
                arguments,
                new Tensors(arguments, fence, calls, runName),
                calls,
                runtime,
                services,
                new ConcurrentLinkedQueue<>(),
                new AtomicReference<>((argument, refusal) -> {}));
    }

    /**
     * Runs the user's code; what it throws is latched unless something was before (B6). Once it has returned, threads that it
     * left behind find the attempt ended.
     *
     * @throws CallAborted if the slot's actor is to die
     */
    public void run(HostBuild build) {
        attempt.calls().onSlotThread();
        try {
            build.build(this);
        } catch (Exception | Error thrown) {
            end.fail(thrown);
        } finally {
            end.returned();
        }
    }

    /** The first failure, or null if the attempt is good. */
    public BuildLatch.@Nullable Cause cause() {
        return end.cause();
    }

    /** In which scope the first failure happened; empty outside all scopes. */
    public String failedIn() {
        return end.failedIn();
    }

    /** How many tasks were emitted, by scope, for people; once the build is over. */
    public String emitted() {
        return attempt.calls().emitted();
    }

    /** Lays the overlay over staged host arguments, before the driver's prepare (B10). */
    public void applyToStaging() {
        attempt.tensors().applyToStaging();
    }

    /** What is to be written to the device right before launch (B10). */
    public List<DeviceWrite> deviceWrites() {
        return attempt.tensors().deviceWrites();
    }

    /** What this attempt allocated and has not freed: released if the attempt is aborted (B10). */
    public List<Allocation> allocated() {
        return List.copyOf(attempt.allocated());
    }

    /**
     * For tests of races: called with the argument and the refusal after an access was refused and before that is latched, on
     * the accessing thread.
     */
    public void onRefusal(BiConsumer<Integer, Access> watcher) {
        attempt.watcher().set(watcher);
    }
}
