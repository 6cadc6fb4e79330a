package dev.baton.ledger;

import dev.baton.protocol.RefusalCode;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who holds which slot: the first live runs, and leases (N2, N8).
 *
 * <p>Decided here, where admission is, and told to the lane, so that no command ever sees half of it.
 */
final class SlotTable {
    private final @Nullable LiveRun[] occupant;
    private final boolean[] leased;
    private final long[] generation;
    private final int queueBound;
    private final TreeMap<Long, LiveRun> waiting = new TreeMap<>();

    SlotTable(int depth, int queueBound) {
        this.occupant = new LiveRun[depth];
        this.leased = new boolean[depth];
        this.generation = new long[depth];
        this.queueBound = queueBound;
    }

    /** A slot that changed hands. */
    record Change(LiveRun run, int slot) {}

    int depth() {
        return occupant.length;
    }

    int waiting() {
        return waiting.size();
    }

    int inSlots() {
        int n = 0;
        for (LiveRun r : occupant) {
            n += r == null ? 0 : 1;
        }
        return n;
    }

    /** Whether one more run without a lease may wait or be held (N2). */
    boolean full() {
        return freeSlot() < 0 && waiting.size() >= queueBound;
    }

    /** Why a run can't use a lease, or null if it can (N8). */
    @Nullable
    RefusalCode refusalOf(int slot, long leaseGeneration) {
        if (slot < 0 || slot >= leased.length || !leased[slot] || generation[slot] != leaseGeneration) {
            return RefusalCode.STALE_LEASE;
        }
        return occupant[slot] != null ? RefusalCode.SLOT_OCCUPIED : null;
    }

    /** The run that holds a slot, or null. */
    @Nullable
    LiveRun occupant(int slot) {
        return slot >= 0 && slot < occupant.length ? occupant[slot] : null;
    }

    boolean exists(int slot) {
        return slot >= 0 && slot < occupant.length;
    }

    boolean leased(int slot) {
        return leased[slot];
    }

    boolean lastUnleased(int slot) {
        for (int i = 0; i < leased.length; i++) {
            if (i != slot && !leased[i]) {
                return false;
            }
        }
        return true;
    }

    /** Leases a slot that is free and not leased; gives its generation. */
    long lease(int slot) {
        leased[slot] = true;
        return ++generation[slot];
    }

    /** Whether a generation is the current one of a leased slot. */
    boolean current(int slot, long leaseGeneration) {
        return exists(slot) && leased[slot] && generation[slot] == leaseGeneration;
    }

    /** Ends a lease; a run that holds the slot goes on in it. Gives who gets the slot now. */
    List<Change> giveBack(int slot) {
        leased[slot] = false;
        return occupant[slot] == null ? grant(slot) : List.of();
    }

    /** Lets an admitted run in: into a leased slot, a free one, in the place of the last holder, or into the queue. */
    List<Change> admit(LiveRun run, int leasedSlot) {
        if (leasedSlot >= 0) {
            return hold(run, leasedSlot);
        }
        int free = freeSlot();
        if (free >= 0) {
            return hold(run, free);
        }
        LiveRun last = lastHolderNotBegun();
        if (last != null && run.dispatch < last.dispatch) {
            int slot = last.slot;
            List<Change> changes = new ArrayList<>(2);
            last.slot = -1;
            waiting.put(last.dispatch, last);
            changes.add(new Change(last, -1));
            changes.addAll(hold(run, slot));
            return changes;
        }
        waiting.put(run.dispatch, run);
        return List.of();
    }

    /** Takes a discharged run out; gives who gets its slot. */
    List<Change> remove(LiveRun run) {
        if (run.slot < 0) {
            waiting.remove(run.dispatch);
            return List.of();
        }
        int slot = run.slot;
        occupant[slot] = null;
        run.slot = -1;
        return leased[slot] ? List.of() : grant(slot);
    }

    private List<Change> grant(int slot) {
        if (waiting.isEmpty()) {
            return List.of();
        }
        LiveRun first = waiting.pollFirstEntry().getValue();
        return hold(first, slot);
    }

    private List<Change> hold(LiveRun run, int slot) {
        occupant[slot] = run;
        run.slot = slot;
        return List.of(new Change(run, slot));
    }

    private int freeSlot() {
        for (int i = 0; i < occupant.length; i++) {
            if (!leased[i] && occupant[i] == null) {
                return i;
            }
        }
        return -1;
    }

    private @Nullable LiveRun lastHolderNotBegun() {
        LiveRun last = null;
        for (int i = 0; i < occupant.length; i++) {
            LiveRun r = occupant[i];
            boolean mayMove = r != null && !leased[i] && !r.leased && !r.begun;
            if (mayMove && (last == null || r.dispatch > last.dispatch)) {
                last = r;
            }
        }
        return last;
    }
}
