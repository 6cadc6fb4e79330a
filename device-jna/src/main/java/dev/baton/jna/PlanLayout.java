package dev.baton.jna;

import com.sun.jna.Pointer;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.Parameter;
import dev.baton.protocol.Role;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.PlannedArgument;
import dev.baton.protocol.driver.RunPlan;
import dev.baton.protocol.driver.Task;
import dev.baton.protocol.driver.Task.TaskArgument;
import java.util.List;

/** Lays plans, tasks and callables out as the structures of {@code baton_device.h}. */
final class PlanLayout {
    private static final long ARGUMENT_BYTES = 80;
    private static final long PLAN_BYTES = 48;
    private static final long TASK_ARGUMENT_BYTES = 40;
    private static final long TASK_BYTES = 40;
    private static final long CALLABLE_BYTES = 32;
    private static final long PARAMETER_BYTES = 8;
    private static final long PIECE_BYTES = 16;

    private static final int DEVICE_TENSOR = 1;
    private static final int HOST_TENSOR = 2;
    private static final int VALUE = 3;
    private static final int EXCLUSIVE = 1;
    private static final int EARLY = 2;
    private static final int OF_RUN = 1;
    private static final int TASK_VALUE = 2;
    private static final int SCRATCH = 3;

    private final NativeMemory memory;

    PlanLayout(NativeMemory memory) {
        this.memory = memory;
    }

    /** A {@code baton_callable}. */
    Pointer callable(CallableSpec spec) {
        List<Parameter> parameters = spec.signature().parameters();
        Pointer list = memory.take(PARAMETER_BYTES * parameters.size());
        for (int i = 0; i < parameters.size(); i++) {
            Parameter p = parameters.get(i);
            list.setInt(PARAMETER_BYTES * i, code(p.role()));
            list.setInt(PARAMETER_BYTES * i + 4, p.type() == null ? 0 : code(p.type()));
        }
        Pointer at = memory.take(CALLABLE_BYTES);
        at.setPointer(0, memory.string(spec.name()));
        at.setPointer(8, memory.string(spec.kernel()));
        at.setInt(16, parameters.size());
        at.setPointer(24, list);
        return at;
    }

    /** A {@code baton_plan}. */
    Pointer plan(RunPlan plan) {
        List<PlannedArgument> arguments = plan.arguments();
        Pointer list = memory.take(ARGUMENT_BYTES * arguments.size());
        for (int i = 0; i < arguments.size(); i++) {
            argument(list.share(ARGUMENT_BYTES * i, ARGUMENT_BYTES), arguments.get(i));
        }
        Pointer at = memory.take(PLAN_BYTES);
        at.setPointer(0, memory.string(plan.name()));
        at.setPointer(8, memory.string(plan.callable().name()));
        at.setPointer(16, memory.string(plan.callable().kernel()));
        at.setInt(24, plan.attempt());
        at.setInt(28, (plan.exclusive() ? EXCLUSIVE : 0) | (plan.early() ? EARLY : 0));
        at.setInt(32, arguments.size());
        at.setPointer(40, list);
        return at;
    }

    private void argument(Pointer at, PlannedArgument argument) {
        if (argument instanceof PlannedArgument.OnDevice d) {
            at.setInt(0, DEVICE_TENSOR);
            tensor(at, d.role(), d.type(), d.shape());
            if (!d.strides().isEmpty()) {
                at.setPointer(24, memory.longs(d.strides()));
            }
            at.setLong(32, d.address());
            at.setLong(40, d.spanAddress());
            at.setLong(48, d.spanBytes());
        } else if (argument instanceof PlannedArgument.Staged s) {
            at.setInt(0, HOST_TENSOR);
            tensor(at, s.role(), s.type(), s.shape());
            pieces(at, s.staging());
        } else {
            PlannedArgument.Value v = (PlannedArgument.Value) argument;
            at.setInt(0, VALUE);
            at.setInt(4, code(Role.SCALAR));
            at.setInt(8, code(v.scalar().type()));
            at.setLong(56, v.scalar().bits());
        }
    }

    private void tensor(Pointer at, Role role, DataType type, List<Long> shape) {
        at.setInt(4, code(role));
        at.setInt(8, code(type));
        at.setInt(12, shape.size());
        at.setPointer(16, memory.longs(shape));
    }

    private void pieces(Pointer at, HostMemory staging) {
        Pointer list = memory.take(PIECE_BYTES * staging.segments());
        long offset = 0;
        for (int i = 0; i < staging.segments(); i++) {
            long bytes = NativeMemory.room(staging, offset);
            list.setPointer(PIECE_BYTES * i, NativeMemory.at(staging, offset));
            list.setLong(PIECE_BYTES * i + 8, bytes);
            offset += bytes;
        }
        at.setPointer(64, list);
        at.setLong(72, staging.segments());
    }

    /** A {@code baton_task}. */
    Pointer task(Task task) {
        List<TaskArgument> arguments = task.arguments();
        Pointer list = memory.take(TASK_ARGUMENT_BYTES * arguments.size());
        for (int i = 0; i < arguments.size(); i++) {
            taskArgument(list.share(TASK_ARGUMENT_BYTES * i, TASK_ARGUMENT_BYTES), arguments.get(i));
        }
        Pointer at = memory.take(TASK_BYTES);
        at.setPointer(0, memory.string(task.kernel()));
        at.setPointer(8, memory.string(task.scope()));
        at.setInt(16, arguments.size());
        at.setInt(20, task.grid().size());
        at.setPointer(24, list);
        at.setPointer(32, memory.longs(task.grid()));
        return at;
    }

    private static void taskArgument(Pointer at, TaskArgument argument) {
        if (argument instanceof TaskArgument.OfRun of) {
            at.setInt(0, OF_RUN);
            at.setInt(4, of.index());
        } else if (argument instanceof TaskArgument.Value v) {
            at.setInt(0, TASK_VALUE);
            at.setInt(8, code(v.scalar().type()));
            at.setLong(16, v.scalar().bits());
        } else {
            TaskArgument.Scratch s = (TaskArgument.Scratch) argument;
            at.setInt(0, SCRATCH);
            at.setLong(24, s.address());
            at.setLong(32, s.bytes());
        }
    }

    private static int code(DataType type) {
        return switch (type) {
            case F16 -> 1;
            case BF16 -> 2;
            case F32 -> 3;
            case F64 -> 4;
            case I8 -> 5;
            case I16 -> 6;
            case I32 -> 7;
            case I64 -> 8;
            case U8 -> 9;
        };
    }

    private static int code(Role role) {
        return switch (role) {
            case IN -> 1;
            case OUT -> 2;
            case INOUT -> 3;
            case SCALAR -> 4;
        };
    }
}
