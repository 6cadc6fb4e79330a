package dev.baton.protocol.build;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Scalar;
import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.Task;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * What a host build may do. Every method may be called from several threads of the build; all must have ended when the
 * build returns. After the attempt's first failure each returns at once without touching device or ledger (B4).
 *
 * <p>Elements are numbered row-major over a tensor's shape; strides are respected. A read gives: of device memory and host
 * buffers their bytes as the runs ahead left them, also for OUT, since what this run will overwrite is still there; of IN and
 * INOUT host tensors what came with the message. An OUT host tensor has no bytes yet: only elements that this attempt wrote are
 * covered.
 */
public interface BuildContext {
    /** The attempt's number, counted from 1 (B10). */
    int attempt();

    /** The client's name of the run. */
    String runName();

    /** Number of arguments. */
    int arguments();

    /** Element type of an argument. */
    DataType type(int argument);

    /** Number of elements of an argument. */
    long elements(int argument);

    /** A scalar argument's value. */
    Scalar scalar(int argument);

    /** Reads one element; own writes of this attempt are seen. A refusal is latched (B4, B5). */
    Access read(int argument, long element);

    /**
     * As {@link #read(int, long)}, but runs {@code beforeReport} after a refusal is decided and before it is latched: what
     * another thread of the build may do in between, for tests of races.
     */
    Access read(int argument, long element, Runnable beforeReport);

    /** Writes one element into the attempt's overlay (B10). */
    Access write(int argument, long element, long bits);

    /** As {@link #write(int, long, long)}, with {@code beforeReport} as in {@link #read(int, long, Runnable)}. */
    Access write(int argument, long element, long bits, Runnable beforeReport);

    /** The element as a double, or {@link BuildSignal}. */
    double get(int argument, long element);

    /** The element as a long (integer types), or {@link BuildSignal}. */
    long getLong(int argument, long element);

    /** Reads {@code count} elements as doubles, or {@link BuildSignal}. */
    double[] getAll(int argument, long firstElement, int count);

    /** Reads {@code count} elements as longs (integer types, exact), or {@link BuildSignal}. */
    long[] getAllLong(int argument, long firstElement, int count);

    /** Writes an element, or {@link BuildSignal}; i64 beyond 2^53 want {@link #setLong}. */
    void set(int argument, long element, double value);

    /** Writes an element of any type; integer types wrap, i64 is exact. Or {@link BuildSignal}. */
    void setLong(int argument, long element, long value);

    /** Latches a failure of the build's own (B6) and returns. */
    void fail(String cause);

    /** Latches a failure of the build's own (B6) and returns. */
    void fail(Throwable cause);

    /** Whether a failure is latched already. */
    boolean ended();

    /** Emits one task; tasks run in the order emitted. */
    void emit(Task task);

    /** Emits the callable's own kernel over all arguments, with some scalars replaced. */
    void emitOwn(Map<Integer, Scalar> scalars);

    /** Takes device scratch memory owned by the run; it is not in the ledger (L1). Returns its address. */
    long scratch(long bytes);

    /** Allocates on this device and waits for the answer (B9). An aborted attempt's allocations are released (B10). */
    Reply.AllocateReply allocate(String name, long bytes);

    /** Frees on this device and waits; {@code LATER} is refused WOULD_DEADLOCK (B9). */
    Reply.FreeReply free(BufferHandle buffer, DeviceCommand.When when);

    /** Frees on any device and waits; {@code LATER} is refused WOULD_DEADLOCK (B9). */
    Reply.FreeReply free(ActorRef<DeviceCommand> device, BufferHandle buffer, DeviceCommand.When when);

    /** Allocates on any device and waits for the answer (B9). */
    Reply.AllocateReply allocate(ActorRef<DeviceCommand> device, String name, long bytes);

    /** This device's status. */
    DeviceStatus status();

    /** Any device's status. */
    DeviceStatus status(ActorRef<DeviceCommand> device);

    /**
     * Asks any device and waits for the answer: allocate, free now and status, as the methods above; for everything else, whose
     * answer may need this very run to end, the answer is {@code Refused WOULD_DEADLOCK} and nothing is sent (B9).
     *
     * @param device whom
     * @param command makes the command; its reply address stands for this build and is of no use elsewhere
     * @return the answer, a {@link Reply} or a {@link DeviceStatus}
     */
    Object ask(ActorRef<DeviceCommand> device, Function<ActorRef<Object>, DeviceCommand> command);

    /**
     * The runtime by which a build waits and starts threads, so that it can be replayed; see {@link DeviceRuntime}.
     */
    DeviceRuntime runtime();

    /**
     * Runs {@code work} in a scope. What is emitted by the context given to it carries the scope's label: drivers get it with
     * each task, the event of the preparation counts tasks by scope, and a failure or a wait in a scope names it. Scopes nest:
     * {@code outer/inner}. The label goes with the context, so other threads that are to work in the scope use that one.
     *
     * @param name for people; longer labels are cut to {@value #MAX_SCOPE_CHARS} characters
     */
    <T> T scope(String name, Function<BuildContext, T> work);

    /** As {@link #scope(String, Function)}, for work that gives nothing. */
    default void inScope(String name, Consumer<BuildContext> work) {
        this.<Boolean>scope(name, c -> {
            work.accept(c);
            return true;
        });
    }

    /** The label of the scope of this context, empty outside all scopes. */
    String scope();

    /** Longest label of a scope, with those around it, in characters. */
    int MAX_SCOPE_CHARS = 256;
}
