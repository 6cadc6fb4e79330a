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
import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.Task;
import java.util.Map;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * An attempt as one scope of its build sees it: what user code calls is passed on to {@link Accesses}, {@link Tasks} and
 * {@link Questions}, whose failures and tasks carry the scope's label.
 */
class ScopedContext implements BuildContext {
    private final Attempt attempt;
    private final AttemptEnd end;
    private final Accesses accesses;
    private final Tasks tasks;
    private final Questions questions;

    ScopedContext(Attempt attempt, AttemptEnd end) {
        this.attempt = attempt;
        this.end = end;
        this.accesses = new Accesses(attempt, end);
        this.tasks = new Tasks(attempt, end);
        this.questions = new Questions(attempt, end);
    }

    // ---- accesses

    @Override
    public final Access read(int argument, long element) {
        return accesses.read(argument, element, Accesses.NOTHING_BETWEEN);
    }

    @Override
    public final Access read(int argument, long element, Runnable beforeReport) {
        return accesses.read(argument, element, beforeReport);
    }

    @Override
    public final Access write(int argument, long element, long bits) {
        return accesses.write(argument, element, bits, Accesses.NOTHING_BETWEEN);
    }

    @Override
    public final Access write(int argument, long element, long bits, Runnable beforeReport) {
        return accesses.write(argument, element, bits, beforeReport);
    }

    @Override
    public final double get(int argument, long element) {
        return accesses.get(argument, element);
    }

    @Override
    public final long getLong(int argument, long element) {
        return accesses.getLong(argument, element);
    }

    @Override
    public final double[] getAll(int argument, long firstElement, int count) {
        return accesses.getAll(argument, firstElement, count);
    }

    @Override
    public final long[] getAllLong(int argument, long firstElement, int count) {
        return accesses.getAllLong(argument, firstElement, count);
    }

    @Override
    public final void set(int argument, long element, double value) {
        accesses.set(argument, element, value);
    }

    @Override
    public final void setLong(int argument, long element, long value) {
        accesses.setLong(argument, element, value);
    }

    // ---- failures

    @Override
    public final void fail(String cause) {
        end.fail(cause);
    }

    @Override
    public final void fail(Throwable cause) {
        end.fail(cause);
    }

    @Override
    public final boolean ended() {
        return end.over();
    }

    // ---- tasks

    @Override
    public final void emit(Task task) {
        tasks.emit(task);
    }

    @Override
    public final void emitOwn(Map<Integer, Scalar> scalars) {
        tasks.emitOwn(scalars);
    }

    @Override
    public final long scratch(long bytes) {
        return tasks.scratch(bytes);
    }

    // ---- asking devices (B9)

    @Override
    public final Reply.AllocateReply allocate(String name, long bytes) {
        return questions.allocate(null, name, bytes);
    }

    @Override
    public final Reply.AllocateReply allocate(ActorRef<DeviceCommand> device, String name, long bytes) {
        return questions.allocate(device, name, bytes);
    }

    @Override
    public final Reply.FreeReply free(BufferHandle buffer, DeviceCommand.When when) {
        return questions.free(null, buffer, when);
    }

    @Override
    public final Reply.FreeReply free(ActorRef<DeviceCommand> device, BufferHandle buffer, DeviceCommand.When when) {
        return questions.free(device, buffer, when);
    }

    @Override
    public final DeviceStatus status() {
        return questions.status(null);
    }

    @Override
    public final DeviceStatus status(ActorRef<DeviceCommand> device) {
        return questions.status(device);
    }

    @Override
    public final Object ask(ActorRef<DeviceCommand> device, Function<ActorRef<Object>, DeviceCommand> command) {
        return questions.ask(device, command);
    }

    // ---- the run

    @Override
    public final int attempt() {
        return attempt.number();
    }

    @Override
    public final String runName() {
        return attempt.runName();
    }

    @Override
    public final int arguments() {
        return attempt.tensors().arguments();
    }

    @Override
    public final DataType type(int argument) {
        TensorArgument t = attempt.tensors().of(argument);
        return t == null ? scalar(argument).type() : t.type;
    }

    @Override
    public final long elements(int argument) {
        TensorArgument t = attempt.tensors().of(argument);
        if (t == null) {
            scalar(argument);
            return 0;
        }
        return t.layout.elements();
    }

    @Override
    public final Scalar scalar(int argument) {
        Scalar scalar = tasks.scalar(argument);
        if (scalar == null) {
            throw new BuildSignal(accesses.noScalar(argument));
        }
        return scalar;
    }

    @Override
    public final DeviceRuntime runtime() {
        return attempt.runtime();
    }

    // ---- scopes

    @Override
    public final <T> T scope(String name, Function<BuildContext, T> work) {
        String label = end.scope().isEmpty() ? name : end.scope() + "/" + name;
        AttemptEnd inner = end.in(label.length() <= MAX_SCOPE_CHARS ? label : label.substring(0, MAX_SCOPE_CHARS));
        try {
            return work.apply(new ScopedContext(attempt, inner));
        } catch (RuntimeException | Error thrown) {
            inner.leftBy(thrown);
            throw thrown;
        }
    }

    @Override
    public final String scope() {
        return end.scope();
    }
}
