package dev.baton.protocol.driver;

import dev.baton.protocol.Scalar;
import java.util.List;

/**
 * One kernel to execute.
 *
 * @param kernel the driver's name of the code
 * @param arguments in order
 * @param grid work items along each dimension; empty lets the driver choose
 */
public record Task(String kernel, List<TaskArgument> arguments, List<Long> grid) {
    public Task {
        arguments = List.copyOf(arguments);
        grid = List.copyOf(grid);
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
