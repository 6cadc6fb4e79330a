package dev.baton.protocol.driver;

import dev.baton.protocol.DataType;
import dev.baton.protocol.Role;
import java.util.List;

/** One argument of a run as the driver sees it. */
public sealed interface PlannedArgument {
    /**
     * Device memory.
     *
     * @param address of the first element
     * @param shape elements along each dimension
     * @param strides in elements, empty for row-major
     * @param spanAddress first byte of the covering range
     * @param spanBytes bytes of the covering range
     */
    record OnDevice(
            Role role,
            DataType type,
            long address,
            List<Long> shape,
            List<Long> strides,
            long spanAddress,
            long spanBytes)
            implements PlannedArgument {}

    /**
     * Host memory staged by Baton, row-major, off the heap, held until the run retires. Its bytes go to the
     * device in prepare, those of OUT too: a build may have written some (B10). OUT and INOUT are written by a finalize that
     * completes.
     */
    record Staged(Role role, DataType type, List<Long> shape, HostMemory staging) implements PlannedArgument {}

    /** A value. */
    record Value(dev.baton.protocol.Scalar scalar) implements PlannedArgument {}
}
