package dev.baton.ledger;

import dev.baton.protocol.DataType;
import dev.baton.protocol.HostTensor;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunId;
import dev.baton.protocol.Scalar;
import dev.baton.protocol.driver.HostMemory;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An admitted run as the lane and its slot know it.
 *
 * @param admission number of the admission, counted from 1
 * @param joinable every device span that it names resolves (N3)
 * @param hostOutputs whether it writes host buffers, copied back when it completed (B1)
 */
public record RunWork(
        RunId id,
        String name,
        Callables.Entry callable,
        List<WorkArgument> arguments,
        long dispatch,
        long admission,
        boolean joinable,
        boolean exclusive,
        boolean held,
        boolean hostOutputs,
        @Nullable Duration queueDeadline,
        @Nullable Duration executionDeadline) {

    /** The run's number, by which core actors name it. */
    public long number() {
        return id.number();
    }

    /** One resolved argument. */
    public sealed interface WorkArgument {
        /**
         * Device memory.
         *
         * @param allocation id of the allocation, -1 for memory from elsewhere
         * @param firstByte of element zero, relative to the allocation (zero for memory from elsewhere)
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
                implements WorkArgument {}

        /** An adopted host buffer. */
        record HostBuffer(
                Role role,
                DataType type,
                List<Long> shape,
                List<Long> strides,
                long allocation,
                long firstByte,
                HostMemory memory)
                implements WorkArgument {}

        /** A host tensor that came with the message. */
        record HostIn(Role role, HostTensor tensor) implements WorkArgument {}

        /** Room for a host tensor that goes with the answer. */
        record HostOut(DataType type, List<Long> shape) implements WorkArgument {}

        /** A scalar. */
        record Value(Scalar scalar) implements WorkArgument {}
    }
}
