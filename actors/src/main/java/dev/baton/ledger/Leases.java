package dev.baton.ledger;

import dev.baton.protocol.Holder;
import dev.baton.protocol.Lease;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import java.util.List;

/** Leasing slots and giving them back (N8). */
final class Leases {
    private final LedgerState s;

    Leases(LedgerState state) {
        this.s = state;
    }

    void lease(long token, int slot) {
        String asked = "lease of slot " + slot;
        if (!s.slots.exists(slot)) {
            s.refuse(
                    token,
                    Refusals.of(
                            RefusalCode.INVALID_ARGUMENT,
                            asked + ": the device has slots 0 to " + (s.slots.depth() - 1)));
            return;
        }
        LiveRun occupant = s.slots.occupant(slot);
        if (s.slots.leased(slot) || occupant != null) {
            List<Holder> by = occupant == null ? List.of() : List.of(occupant.holder());
            s.refuse(
                    token,
                    Refusals.by(
                            RefusalCode.SLOT_OCCUPIED,
                            by,
                            asked + ": it is " + (s.slots.leased(slot) ? "leased already" : "carrying a run")
                                    + ". Lease another, or wait."));
        } else if (s.slots.lastUnleased(slot)) {
            s.refuse(
                    token,
                    Refusals.of(
                            RefusalCode.SLOT_OCCUPIED,
                            asked + ": it is the last one without a lease; runs without a lease need it"));
        } else {
            long generation = s.slots.lease(slot);
            s.port.reply(token, new Reply.Leased(new Lease(s.device, s.epoch, slot, generation)), true);
        }
    }

    void giveBack(long token, Lease lease) {
        boolean current = lease.device().equals(s.device)
                && lease.epoch() == s.epoch
                && s.slots.current(lease.slot(), lease.generation());
        if (current) {
            for (SlotTable.Change c : s.slots.giveBack(lease.slot())) {
                s.port.slotChanged(c.run().id.number(), c.slot());
            }
        }
        s.port.reply(token, new Reply.GivenBack(current), true);
    }
}
