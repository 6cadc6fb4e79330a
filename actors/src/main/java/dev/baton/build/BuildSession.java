package dev.baton.build;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.Elements;
import dev.baton.protocol.Refusal;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Scalar;
import dev.baton.protocol.build.Access;
import dev.baton.protocol.build.BuildContext;
import dev.baton.protocol.build.BuildSignal;
import dev.baton.protocol.build.HostBuild;
import dev.baton.protocol.driver.CallAborted;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** One attempt of a host build: the builder that user code gets, and what came of it (B3 to B10). */
public final class BuildSession implements BuildContext {
    private final int attempt;
    private final String runName;
    private final String kernel;
    private final List<BuildArgument> arguments;
    private final TensorAccess tensors;
    private final Preparation preparation;
    private final DeviceRuntime runtime;
    private final BuildServices services;
    private final BuildLatch latch = new BuildLatch();
    private final ConcurrentLinkedQueue<Allocation> allocated = new ConcurrentLinkedQueue<>();

    /** What an attempt allocated; null device means its own. */
    public record Allocation(@Nullable ActorRef<DeviceCommand> device, BufferHandle buffer) {}

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
        this.attempt = attempt;
        this.runName = runName;
        this.kernel = kernel;
        this.arguments = List.copyOf(arguments);
        this.tensors = new TensorAccess(this.arguments, fence, device, runName);
        this.preparation = preparation;
        this.runtime = runtime;
        this.services = services;
    }

    /** Runs the user's code; what it throws is latched unless something was before (B6). */
    public void run(HostBuild build) {
        try {
            build.build(this);
        } catch (CallAborted dying) {
            throw dying;
        } catch (Exception | LinkageError | AssertionError | StackOverflowError | OutOfMemoryError thrown) {
            fail(thrown);
        }
    }

    /** The first failure, or null if the attempt is good. */
    public BuildLatch.@Nullable Cause cause() {
        return latch.cause();
    }

    /** Lays the overlay over staged host arguments, before the driver's prepare. */
    public void applyToStaging() {
        tensors.applyToStaging();
    }

    /** What is to be written to the device right before launch. */
    public List<DeviceWrite> deviceWrites() {
        return tensors.deviceWrites();
    }

    /** What this attempt allocated and has not freed: released if the attempt is aborted (B10). */
    public List<Allocation> allocated() {
        return List.copyOf(allocated);
    }

    // ---- accesses

    @Override
    public Access read(int argument, long element) {
        return read(argument, element, () -> {});
    }

    @Override
    public Access read(int argument, long element, Runnable beforeReport) {
        if (ended()) {
            return Access.Ended.INSTANCE;
        }
        try {
            Access refusal = tensors.refuseRead(argument, element);
            return refusal == null ? new Access.Value(tensors.bits(argument, element)) : report(refusal, beforeReport);
        } catch (DriverException e) {
            fail(e);
            return Access.Ended.INSTANCE;
        }
    }

    @Override
    public Access write(int argument, long element, long bits) {
        return write(argument, element, bits, () -> {});
    }

    @Override
    public Access write(int argument, long element, long bits, Runnable beforeReport) {
        if (ended()) {
            return Access.Ended.INSTANCE;
        }
        Access refusal = tensors.refuseWrite(argument, element);
        if (refusal != null) {
            return report(refusal, beforeReport);
        }
        tensors.put(argument, element, bits);
        return Access.Done.INSTANCE;
    }

    /** The answer belongs to that access; the latch takes the first one reported (B3, B4). */
    private Access report(Access refusal, Runnable beforeReport) {
        beforeReport.run();
        latch.latch(asCause(refusal));
        return refusal;
    }

    private static BuildLatch.Cause asCause(Access refusal) {
        if (refusal instanceof Access.NotProducedYet n) {
            return new BuildLatch.Cause.NotProduced(n.by());
        } else if (refusal instanceof Access.Failed f) {
            return new BuildLatch.Cause.Predecessor(f.by(), f.why());
        } else if (refusal instanceof Access.Unproven u) {
            return new BuildLatch.Cause.Unproven(u.by(), u.why());
        }
        return new BuildLatch.Cause.NotCovered(((Access.NotCovered) refusal).why());
    }

    private long bitsOrSignal(int argument, long element) {
        if (!ended()) {
            try {
                // the good path allocates nothing
                Access refusal = tensors.refuseRead(argument, element);
                if (refusal == null) {
                    return tensors.bits(argument, element);
                }
                throw new BuildSignal(report(refusal, () -> {}));
            } catch (DriverException e) {
                fail(e);
            }
        }
        throw new BuildSignal(Access.Ended.INSTANCE);
    }

    @Override
    public double get(int argument, long element) {
        long bits = bitsOrSignal(argument, element);
        return Elements.toDouble(type(argument), bits);
    }

    @Override
    public long getLong(int argument, long element) {
        return bitsOrSignal(argument, element);
    }

    @Override
    public double[] getAll(int argument, long firstElement, int count) {
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = get(argument, firstElement + i);
        }
        return values;
    }

    @Override
    public void set(int argument, long element, double value) {
        Access answer = write(argument, element, Elements.fromDouble(type(argument), value));
        if (answer != Access.Done.INSTANCE) {
            throw new BuildSignal(answer);
        }
    }

    // ---- failures

    @Override
    public void fail(String cause) {
        latch.latch(new BuildLatch.Cause.Own(cause, null));
    }

    @Override
    public void fail(Throwable cause) {
        String message = cause.getMessage();
        latch.latch(new BuildLatch.Cause.Own(
                cause.getClass().getSimpleName() + (message == null ? "" : ": " + message), cause));
    }

    @Override
    public boolean ended() {
        return latch.cause() != null;
    }

    // ---- tasks

    @Override
    public void emit(Task task) {
        if (!ended()) {
            try {
                preparation.emit(task);
            } catch (DriverException e) {
                fail(e);
            }
        }
    }

    @Override
    public void emitOwn(Map<Integer, Scalar> scalars) {
        List<Task.TaskArgument> list = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            Scalar replaced = scalars.get(i);
            list.add(replaced == null ? new Task.TaskArgument.OfRun(i) : new Task.TaskArgument.Value(replaced));
        }
        emit(new Task(kernel, list, List.of()));
    }

    @Override
    public long scratch(long bytes) {
        if (!ended()) {
            try {
                return preparation.scratch(bytes);
            } catch (DriverException e) {
                fail(e);
            }
        }
        throw new BuildSignal(Access.Ended.INSTANCE);
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
        if (ended()) {
            return over("allocate " + name);
        }
        Reply.AllocateReply reply = services.allocate(device, name, bytes);
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
        if (when == DeviceCommand.When.LATER) {
            return new Reply.Refused(Refusal.of(
                    RefusalCode.WOULD_DEADLOCK,
                    "free of " + buffer + " when idle, from inside the build of run " + runName
                            + ": the answer may need this very run to end. Free it now, or after the run."));
        }
        if (ended()) {
            return over("free of " + buffer);
        }
        Reply.FreeReply reply = services.free(device, buffer);
        if (reply instanceof Reply.Released) {
            allocated.removeIf(a -> a.buffer().equals(buffer));
        }
        return reply;
    }

    private Reply.Refused over(String asked) {
        return new Reply.Refused(Refusal.of(
                RefusalCode.INVALID_ARGUMENT,
                asked + ": this attempt of run " + runName + " has failed already; return from the build"));
    }

    @Override
    public DeviceStatus status() {
        return statusOf(null);
    }

    @Override
    public DeviceStatus status(ActorRef<DeviceCommand> device) {
        return statusOf(device);
    }

    private DeviceStatus statusOf(@Nullable ActorRef<DeviceCommand> device) {
        if (ended()) {
            throw new BuildSignal(Access.Ended.INSTANCE);
        }
        return services.status(device);
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
        return arguments.size();
    }

    @Override
    public DataType type(int argument) {
        return tensors.type(argument);
    }

    @Override
    public long elements(int argument) {
        return tensors.elements(argument);
    }

    @Override
    public Scalar scalar(int argument) {
        if (argument >= 0 && argument < arguments.size() && arguments.get(argument) instanceof BuildArgument.Value v) {
            return v.scalar();
        }
        throw new IllegalArgumentException("argument " + argument + " of run " + runName + " is no scalar");
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
