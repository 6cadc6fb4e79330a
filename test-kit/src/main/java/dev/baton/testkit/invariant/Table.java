package dev.baton.testkit.invariant;

import static dev.baton.testkit.invariant.Invariants.require;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.DeviceStatus.BufferStatus;
import dev.baton.protocol.DeviceStatus.RunStatus;
import dev.baton.protocol.Holder;
import dev.baton.protocol.RunId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Invariants (b) and (f): who holds what, by the device's table and by what its clients were told. */
final class Table {
    private final List<Sent> runs;
    private final Map<RunId, Sent> byId;

    /** Over the submits that were sent, all and by their id; both are its owner's. */
    Table(List<Sent> runs, Map<RunId, Sent> byId) {
        this.runs = runs;
        this.byId = byId;
    }

    /** (f) Borrowers and writers are exactly the live runs that name the buffer; (b) which is there. */
    void borrows(DeviceStatus status) {
        Set<RunId> inTable = new HashSet<>();
        long dispatch = -1;
        for (RunStatus r : status.runs()) {
            Sent s = byId.get(r.run());
            require(
                    s != null && s.live(),
                    'f',
                    () -> "run " + r.name() + " is live in the table, but not for its client");
            require(r.dispatch() > dispatch, 'f', () -> "the runs are not listed in dispatch order: " + status.runs());
            dispatch = r.dispatch();
            inTable.add(r.run());
        }
        List<Sent> holding = holding(status.epoch(), inTable);
        for (BufferStatus b : status.buffers()) {
            same(b, "borrowers", b.borrowers(), holding, false);
            same(b, "writers", b.writers(), holding, true);
        }
        if (!holding.isEmpty()) {
            Set<BufferHandle> there = new HashSet<>();
            status.buffers().forEach(b -> there.add(b.handle()));
            for (Sent s : holding) {
                require(
                        there.containsAll(s.named),
                        'b',
                        () -> "a buffer of live run " + s.name + " is gone from the table");
            }
        }
    }

    /** The live runs that are not discharged, in dispatch order. */
    private List<Sent> holding(long epoch, Set<RunId> inTable) {
        List<Sent> live = new ArrayList<>();
        for (Sent s : runs) {
            if (s.liveIn(epoch)) {
                live.add(s);
            }
        }
        live.sort(Comparator.comparingLong(Sent::dispatch));
        List<Sent> holding = new ArrayList<>();
        for (int i = 0; i < live.size(); i++) {
            Sent s = live.get(i);
            if (s.isIn(inTable)) {
                holding.add(s);
            } else {
                // an unproven end out of turn is discharged at once; only its answer waits (F2)
                require(i > 0, 'f', () -> "run " + s.name + " is discharged and was not answered");
            }
        }
        return holding;
    }

    private static void same(BufferStatus b, String what, List<Holder> holders, List<Sent> holding, boolean writers) {
        int at = 0;
        boolean same = true;
        for (Sent s : holding) {
            if (s.names(b.handle(), writers)) {
                at = skip(b, holders, at, holding, writers);
                same &= at < holders.size() && holders.get(at).name().equals(s.name);
                at++;
            }
        }
        if (!same || skip(b, holders, at, holding, writers) < holders.size()) {
            throw new Violation(
                    'f',
                    what + " of " + b.name() + " are " + holders + ", but the live runs that name it are "
                            + holding.stream()
                                    .filter(s -> s.names(b.handle(), writers))
                                    .map(s -> s.name)
                                    .toList());
        }
    }

    /** Leaves out copies, and runs that may name the buffer by a raw address. */
    private static int skip(BufferStatus b, List<Holder> holders, int from, List<Sent> holding, boolean writers) {
        int at = from;
        while (at < holders.size()
                && (holders.get(at).kind() != Holder.Kind.RUN
                        || byAddress(b, holders.get(at).name(), holding, writers))) {
            at++;
        }
        return at;
    }

    private static boolean byAddress(BufferStatus b, String run, List<Sent> holding, boolean writers) {
        for (Sent s : holding) {
            if (s.raw && s.name.equals(run) && !s.names(b.handle(), writers)) {
                return true;
            }
        }
        return false;
    }

    /** (b) Nothing that a run has held all the while, or that is marked, was released or handed out. */
    void reuse(List<Operator.Change> changes, DeviceStatus last, DeviceStatus now) {
        if (changes.isEmpty()) {
            return;
        }
        Set<BufferHandle> held = new HashSet<>();
        Set<RunId> liveNow = new HashSet<>();
        now.runs().forEach(r -> liveNow.add(r.run()));
        for (RunStatus r : last.runs()) {
            Sent s = byId.get(r.run());
            if (s != null && liveNow.contains(r.run())) {
                held.addAll(s.named);
            }
        }
        for (BufferStatus b : last.buffers()) {
            for (Operator.Change c : changes) {
                boolean overlaps =
                        !b.host() && c.address() < b.address() + b.bytes() && b.address() < c.address() + c.bytes();
                if (overlaps && (held.contains(b.handle()) || b.unreleasable())) {
                    throw new Violation(
                            'b', "memory of " + b.name() + " was " + (c.freed() ? "released" : "handed out again"));
                }
            }
        }
    }
}
