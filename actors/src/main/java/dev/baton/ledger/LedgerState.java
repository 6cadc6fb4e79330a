package dev.baton.ledger;

import dev.baton.protocol.Poison;
import dev.baton.protocol.Refusal;
import dev.baton.protocol.Reply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the parts of one ledger share. */
final class LedgerState {
    final String device;
    final long epoch;
    final LedgerLimits limits;
    final LedgerPort port;
    final AllocationTable table;
    final LiveRuns runs = new LiveRuns();
    final SlotTable slots;
    final Callables callables = new Callables();
    /** Copies under way or waiting, in order of decision. */
    final List<CopyOp> copies = new ArrayList<>();
    /** Memory calls that the platform has not answered, by number. */
    final Map<Long, PendingCall> calls = new HashMap<>();
    /** Everything that a run which ended unproven gave the device (L7): held for the epoch. */
    final List<Object> retained = new ArrayList<>();
    /** Allocations whose bytes may be void, for compaction. */
    final Map<Long, Allocation> withVoids = new HashMap<>();

    @Nullable
    Poison poison;

    int unprovenRuns;
    private long lastCall;
    private long lastCopy;
    /** The next declaration fails so many times; a switch for tests (L5). */
    int declareFaults;

    LedgerState(String device, long epoch, LedgerLimits limits, LedgerPort port) {
        this.device = device;
        this.epoch = epoch;
        this.limits = limits;
        this.port = port;
        this.table = new AllocationTable(device, epoch);
        this.slots = new SlotTable(limits.depth(), limits.queue());
    }

    /** What the answer of a memory call is for. */
    sealed interface PendingCall {
        record ForAllocate(long token, String name, long bytes) implements PendingCall {}

        record ForFree(Allocation allocation) implements PendingCall {}

        record ForCopy(CopyOp op) implements PendingCall {}

        record ForRegister(long token, Callables.Entry entry) implements PendingCall {}

        record ForUnregister(long token, Callables.Entry entry) implements PendingCall {}
    }

    void refuse(long token, Refusal refusal) {
        port.reply(token, new Reply.Refused(refusal), true);
    }

    void call(IoCall what, PendingCall pending) {
        long number = ++lastCall;
        calls.put(number, pending);
        port.io(number, what);
    }

    long nextCopy() {
        return ++lastCopy;
    }

    /** Memory calls that are no copies. */
    int plainCalls() {
        int n = 0;
        for (PendingCall c : calls.values()) {
            n += c instanceof PendingCall.ForCopy ? 0 : 1;
        }
        return n;
    }

    boolean memoryCallsFull() {
        return calls.size() >= limits.pendingMemoryCalls() && plainCalls() >= limits.pendingMemoryCalls();
    }

    void addVoid(Allocation a, long start, long end, Cause cause) {
        a.voids().add(start, end, cause);
        withVoids.put(a.handle.id(), a);
    }

    /** Drops void causes that a later one hides from every live and future run. */
    void compactVoids() {
        if (withVoids.isEmpty()) {
            return;
        }
        withVoids.values().removeIf(a -> {
            a.voids().compact(runs::mayHoldARun);
            return !a.hasVoids();
        });
    }

    void heal(Range range, long dispatch) {
        if (range.allocation().hasVoids()) {
            range.allocation().voids().heal(range.start(), range.end(), dispatch);
        }
    }
}
