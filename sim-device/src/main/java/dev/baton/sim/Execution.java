package dev.baton.sim;

import dev.baton.protocol.DataType;
import dev.baton.protocol.Role;
import dev.baton.protocol.driver.CallAborted;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.PlannedArgument;
import dev.baton.protocol.driver.Task;
import dev.baton.protocol.driver.Task.TaskArgument;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One run's work over real bytes. Outside the gate, on the device's thread. */
final class Execution {
    private final SimCore core;
    private final SimRun run;
    private final @Nullable Touches touches;

    Execution(SimCore core, SimRun run) {
        this.core = core;
        this.run = run;
        this.touches = core.observer == null ? null : new Touches();
    }

    /** What was touched, if anybody wants to know. */
    List<Touch> touches() {
        return touches == null ? List.of() : touches.all();
    }

    /** Does what the run does; the sentence of its fault, or null. What it did before its fault stays done. */
    @Nullable
    String perform() {
        if (run.executeFault == Fault.ERROR) {
            scribble();
            return "run " + run.name() + ": simulated failure while executing";
        }
        String scope = "";
        try {
            for (int t = 0; t < run.tasks.size(); t++) {
                Task task = run.tasks.get(t);
                scope = task.scope().isEmpty() ? "" : "in scope " + task.scope() + ": ";
                perform(t, task);
            }
            return null;
        } catch (CallAborted e) {
            throw e;
        } catch (KernelFault e) {
            return scope + e.getMessage();
        } catch (Exception | Error e) {
            return scope + "run " + run.name() + ": its kernel threw " + e;
        }
    }

    private void perform(int number, Task task) throws DriverException {
        List<KernelCall.Slot> slots = new ArrayList<>();
        for (int i = 0; i < task.arguments().size(); i++) {
            slots.add(slot(task.arguments().get(i), touches == null ? null : touches.of(number, i)));
        }
        core.kernels
                .get(task.kernel())
                .code()
                .run(new KernelCall(run.name(), slots, task.grid(), () -> run.generation != core.generation));
    }

    /** Whoever reads what a failed run should have written shall notice. */
    private void scribble() {
        for (int i = 0; i < run.plan.arguments().size(); i++) {
            if (run.plan.arguments().get(i) instanceof PlannedArgument.OnDevice d && d.role() == Role.OUT) {
                device(i, d, touches == null ? null : touches.of(0, i)).scribble(Patterns.SCRIBBLE);
            }
        }
    }

    private KernelCall.Slot slot(TaskArgument argument, Touches.@Nullable OfArgument touched) {
        if (argument instanceof TaskArgument.Value v) {
            return new KernelCall.Slot(null, v.scalar());
        }
        if (argument instanceof TaskArgument.Scratch s) {
            return new KernelCall.Slot(scratch(s, touched), null);
        }
        int index = ((TaskArgument.OfRun) argument).index();
        PlannedArgument planned = run.plan.arguments().get(index);
        if (planned instanceof PlannedArgument.Value v) {
            return new KernelCall.Slot(null, v.scalar());
        }
        if (planned instanceof PlannedArgument.OnDevice d) {
            return new KernelCall.Slot(device(index, d, touched), null);
        }
        return new KernelCall.Slot(staged(index, (PlannedArgument.Staged) planned), null);
    }

    private Operand scratch(TaskArgument.Scratch s, Touches.@Nullable OfArgument touched) {
        List<Long> shape = List.of(s.bytes() / Float.BYTES);
        return new Operand(
                "run " + run.name() + ", scratch",
                Role.INOUT,
                DataType.F32,
                s.address(),
                shape,
                List.of(),
                this::find,
                touched);
    }

    private Operand staged(int index, PlannedArgument.Staged s) {
        HostMemory memory = run.stages.getOrDefault(index, s.staging());
        Allocation stage = new Allocation(Allocation.Kind.STAGE, 0, memory.size(), memory);
        Operand.Lookup lookup = (at, bytes) -> stage.covers(at, bytes) ? stage : null;
        return new Operand(name(index), s.role(), s.type(), 0, s.shape(), List.of(), lookup, null);
    }

    private Operand device(int index, PlannedArgument.OnDevice d, Touches.@Nullable OfArgument touched) {
        return new Operand(name(index), d.role(), d.type(), d.address(), d.shape(), d.strides(), this::find, touched);
    }

    private @Nullable Allocation find(long address, long bytes) {
        return core.memory.find(address, bytes, run.generation);
    }

    private String name(int index) {
        return "run " + run.name() + ", argument " + index;
    }
}
