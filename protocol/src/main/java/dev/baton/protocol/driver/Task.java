package dev.baton.protocol.driver;

import dev.baton.protocol.Scalar;
import java.util.List;
import java.util.Objects;

/**
 * One kernel to execute.
 *
 * @param kernel the driver's name of the code
 * @param arguments in order
 * @param grid work items along each dimension; empty lets the driver choose
 * @param scope where in its build it was emitted, as {@code outer/inner}; empty outside all scopes. For people only
 */
public record Task(String kernel, List<TaskArgument> arguments, List<Long> grid, String scope) {
    public Task {
        arguments = List.copyOf(arguments);
        grid = List.copyOf(grid);
        Objects.requireNonNull(scope, "scope");
    }

    /** A task outside all scopes. */
    public Task(String kernel, List<TaskArgument> arguments, List<Long> grid) {
        this(kernel, arguments, grid, "");
    }

    /** The same task, emitted in a scope; a scope of its own lies inside that one. */
    public Task in(String outer) {
        return outer.isEmpty()
                ? this
                : new Task(kernel, arguments, grid, scope.isEmpty() ? outer : outer + "/" + scope);
    }

    /** One argument of a task. */
    public sealed interface TaskArgument {
        /** The run's argument of that index, whole. */
        record OfRun(int index) implements TaskArgument {}

        /** A value. */
        record Value(Scalar scalar) implements TaskArgument {}

        /** Scratch memory of this run. */
        record Scratch(long address, long bytes) implements TaskArgument {}
    }
}
