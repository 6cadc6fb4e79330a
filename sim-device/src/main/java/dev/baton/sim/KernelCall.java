package dev.baton.sim;

import dev.baton.protocol.Scalar;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One execution of one task. */
public final class KernelCall {
    private final String run;
    private final List<Slot> arguments;
    private final List<Long> grid;
    private final BooleanSupplier cancelled;

    /** One argument: a tensor or a scalar. */
    record Slot(@Nullable Operand tensor, @Nullable Scalar scalar) {}

    KernelCall(String run, List<Slot> arguments, List<Long> grid, BooleanSupplier cancelled) {
        this.run = run;
        this.arguments = List.copyOf(arguments);
        this.grid = grid;
        this.cancelled = cancelled;
    }

    /** The run's name. */
    public String run() {
        return run;
    }

    /** Number of arguments. */
    public int arguments() {
        return arguments.size();
    }

    /** Work items along each dimension; empty if the driver chooses. */
    public List<Long> grid() {
        return grid;
    }

    /** A tensor argument. */
    public Operand tensor(int index) {
        Operand tensor = slot(index).tensor();
        if (tensor == null) {
            throw new KernelFault("run " + run + ": argument " + index + " of the task is no tensor");
        }
        return tensor;
    }

    /** A scalar argument. */
    public Scalar scalar(int index) {
        Scalar scalar = slot(index).scalar();
        if (scalar == null) {
            throw new KernelFault("run " + run + ": argument " + index + " of the task is no scalar");
        }
        return scalar;
    }

    /** Whether the device was reset meanwhile: a long kernel may stop early. */
    public boolean cancelled() {
        return cancelled.getAsBoolean();
    }

    private Slot slot(int index) {
        if (index < 0 || index >= arguments.size()) {
            throw new KernelFault("run " + run + ": the task has no argument " + index);
        }
        return arguments.get(index);
    }
}
