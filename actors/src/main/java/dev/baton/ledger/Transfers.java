package dev.baton.ledger;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.Holder;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.OperationFailure;
import dev.baton.protocol.Refusal;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads, writes, copies and fills (L12, L13): refused or decided at once; from its decision until it is done each is a fact.
 *
 * <p>A copy takes its place in the device's one order of memory calls when it is decided, but for a Read that waits for its
 * value, and for copies that conflict with one that has not taken its place. Void bytes are judged and healed when a copy takes
 * its place, so that what is ahead in that order is judged by what was there then.
 */
final class Transfers {
    private final LedgerState s;
    private final Releases releases;

    Transfers(LedgerState state, Releases releases) {
        this.s = state;
        this.releases = releases;
    }

    void write(long token, DeviceCommand.Write c) {
        String asked = "write " + c.name();
        Range to = range(token, asked, c.buffer(), c.offset(), c.data().size());
        if (to == null || refuseWrite(token, asked, to) || refuseBusy(token, asked)) {
            return;
        }
        Allocation a = to.allocation();
        IoCall call = new IoCall.Write(c.name(), a.address + to.start(), a.host, to.start(), c.data());
        decide(op(Holder.Kind.WRITE, c.name(), token, null, to, call), List.of());
    }

    void fill(long token, DeviceCommand.Fill c) {
        String asked = "fill " + c.name();
        int size = c.value().type().bytes();
        long bytes = c.count() < 0 || c.count() > Long.MAX_VALUE / size ? -1 : c.count() * size;
        Range to = range(token, asked, c.buffer(), c.offset(), bytes);
        if (to == null || refuseWrite(token, asked, to) || refuseBusy(token, asked)) {
            return;
        }
        Allocation a = to.allocation();
        IoCall call = new IoCall.Fill(
                c.name(), a.address + to.start(), a.host, to.start(), c.value().bits(), size, c.count());
        decide(op(Holder.Kind.FILL, c.name(), token, null, to, call), List.of());
    }

    void read(long token, DeviceCommand.Read c) {
        String asked = "read " + c.name();
        if (c.bytes() > HostLimits.MAX_READ_BYTES) {
            s.refuse(
                    token,
                    Refusals.of(
                            RefusalCode.INVALID_ARGUMENT,
                            asked + ": " + c.bytes() + " bytes exceed one message (" + HostLimits.MAX_READ_BYTES
                                    + "); read in pieces"));
            return;
        }
        Range from = range(token, asked, c.buffer(), c.offset(), c.bytes());
        boolean later = c.when() == DeviceCommand.When.LATER;
        if (from == null || refuseRead(token, asked, from, later) || refuseBusy(token, asked)) {
            return;
        }
        Allocation a = from.allocation();
        IoCall call = new IoCall.Read(c.name(), a.address + from.start(), a.host, from.start(), (int) c.bytes());
        CopyOp op = op(Holder.Kind.READ, c.name(), token, from, null, call);
        decide(op, later ? declarers(from) : List.of());
    }

    void copy(long token, DeviceCommand.Copy c) {
        String asked = "copy " + c.name();
        Range from = range(token, asked, c.from(), c.fromOffset(), c.bytes());
        if (from == null) {
            return;
        }
        Range to = range(token, asked, c.to(), c.toOffset(), c.bytes());
        if (to == null) {
            return;
        }
        if (from.overlaps(to)) {
            s.refuse(
                    token,
                    Refusals.of(
                            RefusalCode.INVALID_ARGUMENT,
                            asked + ": the two ranges of " + from.allocation().describe()
                                    + " overlap; copy through another buffer"));
            return;
        }
        if (refuseRead(token, asked, from, false) || refuseWrite(token, asked, to) || refuseBusy(token, asked)) {
            return;
        }
        Allocation f = from.allocation();
        Allocation t = to.allocation();
        IoCall call = new IoCall.Copy(
                c.name(),
                f.address + from.start(),
                f.host,
                from.start(),
                t.address + to.start(),
                t.host,
                to.start(),
                c.bytes());
        decide(op(Holder.Kind.COPY, c.name(), token, from, to, call), List.of());
    }

    private CopyOp op(
            Holder.Kind kind, String name, long token, @Nullable Range reads, @Nullable Range writes, IoCall call) {
        return new CopyOp(s.nextCopy(), kind, name, token, reads, writes, call);
    }

    private void decide(CopyOp op, Collection<LiveRun> waitsFor) {
        s.copies.add(op);
        hold(op.reads, op);
        hold(op.writes, op);
        op.waitsFor.addAll(waitsFor);
        for (LiveRun run : waitsFor) {
            run.waitingReads.add(op);
        }
        if (mayBePlaced(op)) {
            place(op);
        }
    }

    private static void hold(@Nullable Range range, CopyOp op) {
        // a range of length zero borrows nothing (L2)
        if (range != null
                && range.start() < range.end()
                && !range.allocation().copies.contains(op)) {
            range.allocation().copies.add(op);
        }
    }

    private boolean mayBePlaced(CopyOp op) {
        if (op.placed || !op.waitsFor.isEmpty()) {
            return false;
        }
        for (CopyOp earlier : s.copies) {
            if (earlier == op) {
                return true;
            }
            if (!earlier.placed && op.conflictsWith(earlier)) {
                return false;
            }
        }
        return true;
    }

    /** Takes its place in the order of memory calls; judged by what is there now. */
    private void place(CopyOp op) {
        op.placed = true;
        Refusal refusal = refusalAtItsPlace(op);
        if (refusal != null) {
            s.refuse(op.token, refusal);
            over(op);
            return;
        }
        if (op.writes != null) {
            s.heal(op.writes, Long.MAX_VALUE);
        }
        s.call(op.call, new LedgerState.PendingCall.ForCopy(op));
    }

    private static @Nullable Refusal refusalAtItsPlace(CopyOp op) {
        String asked = op.kind.name().toLowerCase(java.util.Locale.ROOT) + " " + op.name;
        Range r = op.reads;
        if (r != null) {
            Allocation a = r.allocation();
            Cause mark = a.hasUnreadable() ? a.unreadable().firstOverlap(r.start(), r.end()) : null;
            if (mark != null) {
                return Refusals.unreadable(asked + " of " + a.describe(), mark);
            }
            VoidMap.Interval v = a.hasVoids() ? a.voids().firstOverlap(r.start(), r.end()) : null;
            if (v != null) {
                return Refusals.predecessor(asked + " of " + a.describe(), lastOf(v));
            }
        }
        Range w = op.writes;
        return w != null && w.allocation().unreleasable != null
                ? Refusals.unproven(asked + " to " + w.allocation().describe(), w.allocation().unreleasable)
                : null;
    }

    private static Cause lastOf(VoidMap.Interval v) {
        return v.causes().get(v.causes().size() - 1);
    }

    /** The platform has answered. */
    void done(CopyOp op, IoCall.Result result) {
        Cause spoiled = op.spoiled;
        if (result instanceof IoCall.Failed f) {
            failed(op, f.message());
        } else if (spoiled != null) {
            spoil(op, spoiled);
            s.refuse(
                    op.token,
                    Refusals.predecessor(op.kind.name().toLowerCase(java.util.Locale.ROOT) + " " + op.name, spoiled));
        } else {
            s.port.reply(op.token, good(op, result), true);
        }
        over(op);
    }

    private static Reply good(CopyOp op, IoCall.Result result) {
        BufferHandle to = op.writes == null ? null : op.writes.allocation().handle;
        BufferHandle from = op.reads == null ? null : op.reads.allocation().handle;
        if (from != null && to != null) {
            return new Reply.Copied(from, to);
        }
        if (from != null) {
            return new Reply.Data(from, result instanceof IoCall.ReadDone r ? r.bytes() : HostBytes.EMPTY);
        }
        if (to == null) {
            throw new IllegalStateException("a copy that neither reads nor writes: " + op.name);
        }
        return op.kind == Holder.Kind.FILL ? new Reply.Filled(to) : new Reply.Written(to);
    }

    private void failed(CopyOp op, String message) {
        OperationFailure failure = op.writes == null ? OperationFailure.READ_FAILED : OperationFailure.WRITE_FAILED;
        String why = op.kind.name().toLowerCase(java.util.Locale.ROOT) + " " + op.name + ": " + message;
        spoil(op, new Cause(op.holder(), Cause.BEFORE_ALL_RUNS, true, why));
        s.port.reply(op.token, new Reply.Failed(failure, why), true);
    }

    /** Its bytes are void now, also for the copies behind it that have taken their place. */
    private void spoil(CopyOp op, Cause cause) {
        Range w = op.writes;
        if (w == null) {
            return;
        }
        boolean behind = false;
        List<long[]> open = new ArrayList<>(List.of(new long[] {w.start(), w.end()}));
        for (CopyOp later : s.copies) {
            if (later == op) {
                behind = true;
            } else if (behind && later.placed) {
                Range r = later.reads;
                if (r != null && r.allocation() == w.allocation() && later.spoiled == null && anyOverlap(open, r)) {
                    later.spoiled = cause;
                }
                Range over = later.writes;
                if (over != null && over.allocation() == w.allocation()) {
                    open = without(open, over);
                }
            }
        }
        for (long[] o : open) {
            s.addVoid(w.allocation(), o[0], o[1], cause);
        }
    }

    private static boolean anyOverlap(List<long[]> open, Range r) {
        for (long[] o : open) {
            if (r.overlaps(o[0], o[1])) {
                return true;
            }
        }
        return false;
    }

    private static List<long[]> without(List<long[]> open, Range over) {
        List<long[]> left = new ArrayList<>(open.size() + 1);
        for (long[] o : open) {
            if (!over.overlaps(o[0], o[1])) {
                left.add(o);
                continue;
            }
            if (o[0] < over.start()) {
                left.add(new long[] {o[0], over.start()});
            }
            if (over.end() < o[1]) {
                left.add(new long[] {over.end(), o[1]});
            }
        }
        return left;
    }

    /** A copy is no fact any more: what waited for it goes on. */
    private void over(CopyOp op) {
        s.copies.remove(op);
        letGo(op.reads, op);
        letGo(op.writes, op);
        placeWhatMayBe();
        unblock(op.reads, op);
        unblock(op.writes, op);
        for (Range r : new Range[] {op.reads, op.writes}) {
            if (r != null) {
                releases.holderGone(r.allocation());
            }
        }
    }

    /** A run that the copy stood in the way of borrows an allocation that the copy names. */
    private void unblock(@Nullable Range range, CopyOp op) {
        if (range != null) {
            for (LiveRun run : range.allocation().borrowers) {
                if (run.blockers.remove(op) && run.blockers.isEmpty() && !run.callable.registering) {
                    s.port.unblocked(run.id.number());
                }
            }
        }
    }

    private static void letGo(@Nullable Range range, CopyOp op) {
        if (range != null) {
            range.allocation().copies.remove(op);
        }
    }

    /** A run has retired: Reads that waited for it alone have their value. */
    void produced(LiveRun run) {
        for (CopyOp op : run.waitingReads) {
            op.waitsFor.remove(run);
        }
        placeWhatMayBe();
    }

    private void placeWhatMayBe() {
        for (CopyOp op : new ArrayList<>(s.copies)) {
            if (s.copies.contains(op) && mayBePlaced(op)) {
                place(op);
            }
        }
    }

    private @Nullable Range range(long token, String asked, BufferHandle handle, long offset, long bytes) {
        Allocation a = s.table.find(handle);
        RefusalCode code = s.table.refusalOf(handle);
        if (code != null || a == null) {
            RefusalCode known = code == null ? RefusalCode.UNKNOWN_BUFFER : code;
            s.refuse(token, Refusals.of(known, asked + ": " + Refusals.handle(known, handle, a)));
            return null;
        }
        if (!a.inRange(offset, bytes)) {
            s.refuse(
                    token,
                    Refusals.of(RefusalCode.INVALID_ARGUMENT, asked + ": " + Refusals.outside(a, offset, bytes, true)));
            return null;
        }
        return new Range(a, offset, offset + bytes);
    }

    private boolean refuseWrite(long token, String asked, Range to) {
        List<Holder> by = new ArrayList<>();
        for (LiveRun run : to.allocation().borrowers) {
            if (run.names(to.allocation(), to.start(), to.end())) {
                by.add(run.holder());
            }
        }
        String what = asked + " to " + to.allocation().describe();
        if (!by.isEmpty()) {
            s.refuse(token, Refusals.inUse(what, by));
            return true;
        }
        if (to.allocation().unreleasable != null) {
            s.refuse(token, Refusals.unproven(what, to.allocation().unreleasable));
            return true;
        }
        return false;
    }

    /** Unreadable, then not produced yet; void bytes are judged when the copy takes its place (L12). */
    private boolean refuseRead(long token, String asked, Range from, boolean later) {
        Allocation a = from.allocation();
        String what = asked + " of " + a.describe();
        Cause mark = a.hasUnreadable() ? a.unreadable().firstOverlap(from.start(), from.end()) : null;
        if (mark != null) {
            s.refuse(token, Refusals.unreadable(what, mark));
            return true;
        }
        List<LiveRun> declarers = later ? List.of() : declarers(from);
        if (!declarers.isEmpty()) {
            s.refuse(
                    token,
                    Refusals.notProduced(
                            what, declarers.get(declarers.size() - 1).holder()));
            return true;
        }
        return false;
    }

    private List<LiveRun> declarers(Range range) {
        List<LiveRun> list = new ArrayList<>(2);
        for (LiveRun run : range.allocation().borrowers) {
            if (run.declares(range.allocation(), range.start(), range.end())) {
                list.add(run);
            }
        }
        return list;
    }

    private boolean refuseBusy(long token, String asked) {
        if (s.copies.size() < s.limits.pendingCopies()) {
            return false;
        }
        s.refuse(
                token,
                Refusals.of(
                        RefusalCode.BUSY,
                        asked + ": " + s.copies.size() + " copies are under way or waiting (pending-copies="
                                + s.limits.pendingCopies() + "). Ask again when one is answered."));
        return true;
    }
}
