package dev.baton.ledger;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.Holder;
import dev.baton.protocol.OperationFailure;
import dev.baton.protocol.Refusal;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import dev.baton.protocol.driver.HostMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Allocating, adopting and freeing (L1, L8, L9, L11). Check and forget are one step. */
final class Releases {
    private final LedgerState s;

    Releases(LedgerState state) {
        this.s = state;
    }

    void allocate(long token, DeviceCommand.Allocate c) {
        if (c.bytes() <= 0) {
            s.refuse(
                    token,
                    Refusals.of(
                            RefusalCode.INVALID_ARGUMENT,
                            "allocate " + c.name() + ": " + c.bytes() + " bytes; at least 1 is needed"));
        } else if (s.table.size() >= s.limits.allocations() || s.memoryCallsFull()) {
            s.refuse(token, busy("allocate " + c.name()));
        } else {
            s.call(
                    new IoCall.Allocate(c.name(), c.bytes()),
                    new LedgerState.PendingCall.ForAllocate(token, c.name(), c.bytes()));
        }
    }

    void allocated(LedgerState.PendingCall.ForAllocate pending, IoCall.Result result) {
        if (result instanceof IoCall.Done done) {
            long address = done.address();
            Allocation a = s.table.add(pending.name(), address, pending.bytes());
            if (a == null) {
                Allocation other = s.table.overlapping(address, pending.bytes());
                s.port.deviceFailed("the driver handed out " + pending.bytes() + " bytes at 0x"
                        + Long.toHexString(address) + " for buffer " + pending.name() + ", which "
                        + (other == null ? "wrap the address space" : "overlap " + other.describe()));
                return;
            }
            s.port.reply(pending.token(), new Reply.Allocated(a.handle, address, pending.bytes()), true);
        } else {
            String why = result instanceof IoCall.OutOfMemory o
                    ? o.message()
                    : result instanceof IoCall.Failed f ? f.message() : result.toString();
            s.port.reply(
                    pending.token(),
                    new Reply.Failed(
                            OperationFailure.OUT_OF_MEMORY,
                            "allocate " + pending.name() + ", " + pending.bytes() + " bytes: " + why
                                    + ". Free something or ask for less."),
                    true);
        }
    }

    void adopt(long token, String name, ByteBuffer memory) {
        if (!memory.isDirect() || memory.isReadOnly() || !memory.hasRemaining()) {
            s.refuse(
                    token,
                    Refusals.of(
                            RefusalCode.INVALID_ARGUMENT,
                            "adopt " + name + ": a direct, writable buffer with remaining bytes is needed"));
        } else if (s.table.size() >= s.limits.allocations()) {
            s.refuse(token, busy("adopt " + name));
        } else {
            Allocation a = s.table.adopt(name, HostMemory.of(memory));
            s.port.reply(token, new Reply.Allocated(a.handle, 0, a.bytes), true);
        }
    }

    void free(long token, DeviceCommand.Free c) {
        BufferHandle handle = c.buffer();
        Allocation a = s.table.find(handle);
        String asked = "free of " + (a == null ? "buffer " + handle : a.describe());
        Refusal refusal = refusal(c, a, asked);
        if (refusal != null) {
            s.refuse(token, refusal);
            s.port.event(new DeviceEvent.FreeRefused(handle, a == null ? "" : a.name, refusal));
            return;
        }
        if (a == null) {
            throw new IllegalStateException("a free without refusal has no entry: " + handle);
        }
        a.freeToken = token;
        a.state = Allocation.State.RELEASE_PENDING;
        if (a.idle()) {
            release(a);
        }
    }

    /** In this order of precedence (L8). */
    private @Nullable Refusal refusal(DeviceCommand.Free c, @Nullable Allocation a, String asked) {
        RefusalCode code = s.table.refusalOf(c.buffer());
        if (a != null && c.offset() != 0) {
            code = RefusalCode.UNKNOWN_BUFFER;
            return Refusals.of(
                    code,
                    asked + ": byte " + c.offset() + " is an interior address. Free the buffer itself, with offset 0.");
        }
        if (code != null || a == null) {
            RefusalCode known = code == null ? RefusalCode.UNKNOWN_BUFFER : code;
            return Refusals.of(known, asked + ": " + Refusals.handle(known, c.buffer(), a));
        }
        if (c.when() == DeviceCommand.When.NOW && !a.idle()) {
            return Refusals.inUse(asked, holders(a));
        }
        if (a.unreleasable != null) {
            return Refusals.unproven(asked, a.unreleasable);
        }
        return s.memoryCallsFull() ? busy(asked) : null;
    }

    /** Copies first, in order of decision, then runs in dispatch order (L13). */
    static List<Holder> holders(Allocation a) {
        List<Holder> list = new ArrayList<>(a.copies.size() + a.borrowers.size());
        for (CopyOp op : a.copies) {
            list.add(op.holder());
        }
        for (LiveRun run : a.borrowers) {
            list.add(run.holder());
        }
        return list;
    }

    /** A holder of an allocation is gone with proof: a free that waits for that goes on (L9). */
    void holderGone(Allocation a) {
        if (a.state == Allocation.State.RELEASE_PENDING && a.idle()) {
            if (a.unreleasable != null) {
                marked(a);
            } else {
                release(a);
            }
        }
    }

    /** A mark has arrived: a free that waits is answered UNPROVEN, and the entry stays (L9). */
    void marked(Allocation a) {
        if (a.state == Allocation.State.RELEASE_PENDING && a.unreleasable != null) {
            a.state = Allocation.State.LIVE;
            s.refuse(a.freeToken, Refusals.unproven("free of " + a.describe(), a.unreleasable));
        }
    }

    private void release(Allocation a) {
        a.state = Allocation.State.RELEASING;
        if (a.host != null) {
            // handing memory back needs no platform: nobody holds it
            s.table.remove(a);
            s.withVoids.remove(a.handle.id());
            s.port.reply(a.freeToken, new Reply.Released(a.handle), true);
            return;
        }
        s.call(new IoCall.Free(a.name, a.address), new LedgerState.PendingCall.ForFree(a));
    }

    void freed(LedgerState.PendingCall.ForFree pending, IoCall.Result result) {
        Allocation a = pending.allocation();
        s.withVoids.remove(a.handle.id());
        if (result instanceof IoCall.Failed f) {
            a.state = Allocation.State.QUARANTINED;
            s.port.reply(
                    a.freeToken,
                    new Reply.Failed(
                            OperationFailure.FREE_FAILED,
                            "free of " + a.describe() + ": " + f.message()
                                    + ". It is quarantined; a reset of the device gives it back."),
                    true);
            return;
        }
        s.table.remove(a);
        s.port.reply(a.freeToken, new Reply.Released(a.handle), true);
    }

    void revalidate(long token, BufferHandle handle) {
        Allocation a = s.table.find(handle);
        RefusalCode code = s.table.refusalOf(handle);
        if (code != null || a == null) {
            RefusalCode known = code == null ? RefusalCode.UNKNOWN_BUFFER : code;
            s.refuse(token, Refusals.of(known, "revalidate: " + Refusals.handle(known, handle, a)));
        } else if (!a.hasVoids()) {
            s.refuse(
                    token, Refusals.of(RefusalCode.NOT_VOID, "revalidate " + a.describe() + ": no byte of it is void"));
        } else if (a.voids().touched()) {
            Cause c = a.voids().intervals().get(0).causes().get(0);
            s.refuse(
                    token,
                    Refusals.by(
                            RefusalCode.TOUCHED,
                            List.of(c.by()),
                            "revalidate " + a.describe() + ": " + c.by()
                                    + " may have written some of it. Write it anew."));
        } else {
            a.voids().clear();
            s.withVoids.remove(handle.id());
            s.port.reply(token, new Reply.Revalidated(handle), true);
        }
    }

    private Refusal busy(String asked) {
        return Refusals.of(
                RefusalCode.BUSY,
                asked + ": " + s.plainCalls() + " memory calls wait and " + s.table.size()
                        + " buffers are recorded (pending-memory-calls=" + s.limits.pendingMemoryCalls()
                        + ", allocations=" + s.limits.allocations() + "). Ask again when some are answered.");
    }
}
