package dev.baton.ledger;

import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.Holder;
import java.util.ArrayList;
import java.util.List;

/** The ledger's part of a status. */
final class StatusReport {
    private final LedgerState s;

    StatusReport(LedgerState state) {
        this.s = state;
    }

    LedgerView view() {
        List<DeviceStatus.BufferStatus> buffers = new ArrayList<>();
        for (Allocation a : s.table.inOrder()) {
            buffers.add(buffer(a));
        }
        return new LedgerView(
                s.slots.waiting(),
                s.slots.inSlots(),
                s.table.deviceEntries(),
                s.unprovenRuns,
                s.copies.size(),
                s.table.deviceBytes(),
                s.poison,
                buffers);
    }

    private static DeviceStatus.BufferStatus buffer(Allocation a) {
        List<Holder> borrowers = new ArrayList<>();
        List<Holder> writers = new ArrayList<>();
        for (LiveRun run : a.borrowers) {
            borrowers.add(run.holder());
            if (run.declaresIn(a)) {
                writers.add(run.holder());
            }
        }
        List<Holder> copies = new ArrayList<>();
        for (CopyOp op : a.copies) {
            copies.add(op.holder());
        }
        return new DeviceStatus.BufferStatus(
                a.handle,
                a.name,
                a.address,
                a.bytes,
                a.host != null,
                borrowers,
                writers,
                copies,
                a.unreleasable != null,
                a.hasUnreadable(),
                a.hasVoids(),
                a.state == Allocation.State.QUARANTINED,
                a.state == Allocation.State.RELEASE_PENDING || a.state == Allocation.State.RELEASING);
    }
}
