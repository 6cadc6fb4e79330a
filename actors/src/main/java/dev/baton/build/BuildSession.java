package dev.baton.build;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Scalar;
import dev.baton.protocol.build.Access;
import dev.baton.protocol.build.BuildContext;
import dev.baton.protocol.build.BuildSignal;
import dev.baton.protocol.build.HostBuild;
import dev.baton.protocol.driver.CallAborted;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.Task;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a host build: the builder that user code gets, and what came of it (B3 to B10).
 *
 * <p>{@link #run} is called once, on the slot's thread; then {@link #cause} says whether the attempt is good. What the build
 * does is checked and carried out by {@link Accesses} (elements), {@link Tasks} (tasks, scratch) and {@link Questions} (asking devices).
 */
public final class BuildSession implements BuildContext {
    private final int attempt;
    private final String runName;
    private final AttemptEnd end;
    private final DriverCalls calls;
    private final Tensors tensors;
    private final Accesses accesses;
    private final Tasks tasks;
    private final Questions questions;
    private final DeviceRuntime runtime;
    private final BuildServices services;
    private final ConcurrentLinkedQueue<Allocation> allocated = new ConcurrentLinkedQueue<>();

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
        List<BuildArgument> own = List.copyOf(arguments);
        this.attempt = attempt;
        this.runName = runName;
        this.end = new AttemptEnd(runtime);
        this.calls = new DriverCalls(device, preparation, runtime, end);
        this.tensors = new Tensors(own, fence, calls, runName);
        this.accesses = new Accesses(tensors, end, runName);
        this.tasks = new Tasks(own, kernel, runName, calls, end);
        this.questions = new Questions(runName, end);
        this.runtime = runtime;
        this.services = services;
    }

    /**
     * Runs the user's code; what it throws is latched unless something was before (B6). Once it has returned, threads that it
     * left behind find the attempt ended.
     *
     * @throws CallAborted if the slot's actor is to die
     */
    public void run(HostBuild build) {
        calls.onSlotThread();
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

    /** Lays the overlay over staged host arguments, before the driver's prepare (B10). */
    public void applyToStaging() {
        tensors.applyToStaging();
    }

    /** What is to be written to the device right before launch (B10). */
    public List<DeviceWrite> deviceWrites() {
        return tensors.deviceWrites();
    }

    /** What this attempt allocated and has not freed: released if the attempt is aborted (B10). */
    public List<Allocation> allocated() {
        return List.copyOf(allocated);
    }

    /**
     * For tests of races: called with the argument and the refusal after an access was refused and before that is latched, on
     * the accessing thread.
     */
    public void onRefusal(BiConsumer<Integer, Access> watcher) {
        accesses.onRefusal(watcher);
    }

    // ---- accesses

    @Override
    public Access read(int argument, long element) {
        return accesses.read(argument, element, () -> {});
    }

    @Override
    public Access read(int argument, long element, Runnable beforeReport) {
        return accesses.read(argument, element, beforeReport);
    }

    @Override
    public Access write(int argument, long element, long bits) {
        return accesses.write(argument, element, bits, () -> {});
    }

    @Override
    public Access write(int argument, long element, long bits, Runnable beforeReport) {
        return accesses.write(argument, element, bits, beforeReport);
    }

    @Override
    public double get(int argument, long element) {
        return accesses.get(argument, element);
    }

    @Override
    public long getLong(int argument, long element) {
        return accesses.getLong(argument, element);
    }

    @Override
    public double[] getAll(int argument, long firstElement, int count) {
        return accesses.getAll(argument, firstElement, count);
    }

    @Override
    public void set(int argument, long element, double value) {
        accesses.set(argument, element, value);
    }

    // ---- failures

    @Override
    public void fail(String cause) {
        end.fail(cause);
    }

    @Override
    public void fail(Throwable cause) {
        end.fail(cause);
    }

    @Override
    public boolean ended() {
        return end.over();
    }

    // ---- tasks

    @Override
    public void emit(Task task) {
        tasks.emit(task);
    }

    @Override
    public void emitOwn(Map<Integer, Scalar> scalars) {
        tasks.emitOwn(scalars);
    }

    @Override
    public long scratch(long bytes) {
        return tasks.scratch(bytes);
    }

    // ---- asking devices (B9)

    @Override
    public Reply.AllocateReply allocate(String name, long bytes) {
        return allocateOn(null, name, bytes);
    }

    @Override
    public Reply.AllocateReply allocate(ActorRef<DeviceCommand> device, String name, long bytes) {
        return allocateOn(device, name, bytes);
    }

    private Reply.AllocateReply allocateOn(@Nullable ActorRef<DeviceCommand> device, String name, long bytes) {
        Reply.AllocateReply reply = questions.allocate(name, () -> services.allocate(device, name, bytes));
        if (reply instanceof Reply.Allocated a) {
            allocated.add(new Allocation(device, a.buffer()));
        }
        return reply;
    }

    @Override
    public Reply.FreeReply free(BufferHandle buffer, DeviceCommand.When when) {
        return freeOn(null, buffer, when);
    }

    @Override
    public Reply.FreeReply free(ActorRef<DeviceCommand> device, BufferHandle buffer, DeviceCommand.When when) {
        return freeOn(device, buffer, when);
    }

    private Reply.FreeReply freeOn(
            @Nullable ActorRef<DeviceCommand> device, BufferHandle buffer, DeviceCommand.When when) {
        Reply.FreeReply reply = questions.free(buffer, when, () -> services.free(device, buffer));
        if (reply instanceof Reply.Released) {
            allocated.removeIf(a -> a.buffer().equals(buffer));
        }
        return reply;
    }

    @Override
    public DeviceStatus status() {
        return questions.status(() -> services.status(null));
    }

    @Override
    public DeviceStatus status(ActorRef<DeviceCommand> device) {
        return questions.status(() -> services.status(device));
    }

    // ---- the run

    @Override
    public int attempt() {
        return attempt;
    }

    @Override
    public String runName() {
        return runName;
    }

    @Override
    public int arguments() {
        return tensors.arguments();
    }

    @Override
    public DataType type(int argument) {
        TensorArgument t = tensors.of(argument);
        return t == null ? scalar(argument).type() : t.type;
    }

    @Override
    public long elements(int argument) {
        TensorArgument t = tensors.of(argument);
        if (t == null) {
            scalar(argument);
            return 0;
        }
        return t.layout.elements();
    }

    @Override
    public Scalar scalar(int argument) {
        Scalar scalar = tasks.scalar(argument);
        if (scalar == null) {
            throw new BuildSignal(accesses.noScalar(argument));
        }
        return scalar;
    }

    @Override
    public DeviceRuntime runtime() {
        return runtime;
    }

    @Override
    public <T> T scope(String name, Function<BuildContext, T> work) {
        return work.apply(this);
    }
}
