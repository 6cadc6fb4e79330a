package dev.baton.build;

import dev.baton.protocol.DataType;
import dev.baton.protocol.Role;
import dev.baton.protocol.Scalar;
import dev.baton.protocol.driver.HostMemory;
import java.util.List;

/** One argument as a build session sees it. */
public sealed interface BuildArgument {
    /**
     * Device memory.
     *
     * @param allocation id, -1 for memory from elsewhere
     * @param firstByte of element zero, relative to the allocation
     * @param address of element zero
     */
    record OnDevice(
            Role role,
            DataType type,
            List<Long> shape,
            List<Long> strides,
            long allocation,
            long firstByte,
            long address,
            long spanAddress,
            long spanBytes)
            implements BuildArgument {}

    /**
     * Staged host memory, row-major.
     *
     * @param allocation the host buffer's id, -1 for a host tensor
     */
    record Staged(Role role, DataType type, List<Long> shape, long allocation, long firstByte, HostMemory staging)
            implements BuildArgument {}

    record Value(Scalar scalar) implements BuildArgument {}
}
