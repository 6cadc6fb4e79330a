package dev.baton.build;

import dev.baton.protocol.DataType;
import dev.baton.protocol.Role;
import dev.baton.protocol.Scalar;
import dev.baton.protocol.driver.HostMemory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One argument of a run as its build session sees it. */
public sealed interface BuildArgument {
    /**
     * A tensor in device memory.
     *
     * @param strides in elements, empty for row-major
     * @param allocation its allocation's id, -1 for memory from elsewhere, which no fence knows (N5)
     * @param firstByte of element zero, relative to the allocation
     * @param address of element zero
     * @param spanAddress first byte of the covering range
     * @param spanBytes bytes of the covering range
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
     * A host tensor or an adopted host buffer, staged.
     *
     * @param strides of the host buffer's own elements, empty for row-major; the staging is row-major anyway
     * @param allocation the host buffer's id, -1 for a host tensor
     * @param firstByte of element zero, relative to the host buffer
     * @param staging the run's own copy, row-major
     * @param buffer the host buffer itself, where the bytes of an OUT one lie until the run has completed (B1); null for a host
     *     tensor
     */
    record Staged(
            Role role,
            DataType type,
            List<Long> shape,
            List<Long> strides,
            long allocation,
            long firstByte,
            HostMemory staging,
            @Nullable HostMemory buffer)
            implements BuildArgument {
        /** One that is read from its staging. */
        public Staged(
                Role role,
                DataType type,
                List<Long> shape,
                List<Long> strides,
                long allocation,
                long firstByte,
                HostMemory staging) {
            this(role, type, shape, strides, allocation, firstByte, staging, null);
        }

        /** A row-major one. */
        public Staged(Role role, DataType type, List<Long> shape, long allocation, long firstByte, HostMemory staging) {
            this(role, type, shape, List.of(), allocation, firstByte, staging);
        }
    }

    /** A value. */
    record Value(Scalar scalar) implements BuildArgument {}
}
