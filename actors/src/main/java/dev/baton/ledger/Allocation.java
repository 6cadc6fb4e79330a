package dev.baton.ledger;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.driver.HostMemory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One entry of the table: device memory that a caller allocated, or a host buffer that it handed over (L1). */
public final class Allocation {
    /** Where an entry stands. */
    enum State {
        LIVE,
        /** Accepted to be freed when idle (L9). */
        RELEASE_PENDING,
        /** Forgotten; the platform has not answered yet (L8). */
        RELEASING,
        /** The platform's free failed (L11). */
        QUARANTINED
    }

    final BufferHandle handle;
    final String name;
    final long address;
    final long bytes;
    final @Nullable HostMemory host;
    State state = State.LIVE;

    /** Live runs that borrow it, in dispatch order. */
    final List<LiveRun> borrowers = new ArrayList<>(4);

    /** Copies under way or waiting that borrow it, in order of decision. */
    final List<CopyOp> copies = new ArrayList<>(0);

    @Nullable
    Cause unreleasable;

    private @Nullable MarkMap unreadable;
    private @Nullable VoidMap voids;

    /** Who is owed the answer of the free under way; meaningful while pending or releasing. */
    long freeToken;

    Allocation(BufferHandle handle, String name, long address, long bytes, @Nullable HostMemory host) {
        this.handle = handle;
        this.name = name;
        this.address = address;
        this.bytes = bytes;
        this.host = host;
    }

    /** The handle that names it. */
    public BufferHandle handle() {
        return handle;
    }

    /** Its device address; zero for a host buffer. */
    public long address() {
        return address;
    }

    /** Its size in bytes. */
    public long bytes() {
        return bytes;
    }

    boolean idle() {
        return borrowers.isEmpty() && copies.isEmpty();
    }

    boolean inRange(long offset, long length) {
        return offset >= 0 && length >= 0 && offset <= bytes && length <= bytes - offset;
    }

    void borrow(LiveRun run) {
        int at = borrowers.size();
        while (at > 0 && borrowers.get(at - 1).dispatch > run.dispatch) {
            at--;
        }
        if (at > 0 && borrowers.get(at - 1) == run) {
            return;
        }
        borrowers.add(at, run);
    }

    VoidMap voids() {
        VoidMap map = voids;
        if (map == null) {
            map = new VoidMap();
            voids = map;
        }
        return map;
    }

    boolean hasVoids() {
        return voids != null && !voids.isEmpty();
    }

    MarkMap unreadable() {
        MarkMap map = unreadable;
        if (map == null) {
            map = new MarkMap();
            unreadable = map;
        }
        return map;
    }

    boolean hasUnreadable() {
        return unreadable != null && !unreadable.isEmpty();
    }

    /** As people know it: name, size and address in hex. */
    String describe() {
        return host != null
                ? "host buffer " + name + " (" + bytes + " bytes)"
                : "buffer " + name + " (" + bytes + " bytes at 0x" + Long.toHexString(address) + ")";
    }
}
