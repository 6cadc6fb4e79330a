package dev.baton.ledger;

import dev.baton.protocol.HostTensor;
import dev.baton.protocol.RunFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended, as the lane's policy decided it (DESIGN section 6).
 *
 * @param failure null if it completed
 * @param proven whether the device is proven to be finished with it
 * @param poisons whether this end poisons the lane
 * @param launched whether its launch was called, so that it may have touched what it declared
 * @param standing whether the end was decided before (abandon, deadline) or ranks above a failed predecessor: it is not judged
 * @param outputs host tensors of a completed run
 * @param retained what an unproven run gave the device, held for the epoch (L7)
 */
public record RunEnd(
        @Nullable RunFailure failure,
        boolean proven,
        boolean poisons,
        boolean launched,
        boolean standing,
        List<HostTensor> outputs,
        List<Object> retained) {
    public RunEnd {
        outputs = List.copyOf(outputs);
        retained = List.copyOf(retained);
    }
}
