package dev.baton.ledger;

import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.Poison;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the ledger tells for a status; see {@link DeviceStatus}. */
public record LedgerView(
        int queued,
        int inSlots,
        int allocated,
        int retained,
        int pendingCopies,
        long allocatedBytes,
        @Nullable Poison poison,
        List<DeviceStatus.BufferStatus> buffers) {
    public LedgerView {
        buffers = List.copyOf(buffers);
    }
}
