package dev.baton.sim;

import dev.baton.protocol.driver.HostMemory;

/** One range of the device's memory with its bytes, which nothing else ever uses: a late access harms no one. */
final class Allocation {
    enum Kind {
        CLIENT,
        FOREIGN,
        SCRATCH,
        STAGE
    }

    final Kind kind;
    final long address;
    final long bytes;
    final HostMemory memory;
    volatile boolean freed;
    /** Freeing it has failed (L11). */
    boolean quarantined;

    Allocation(Kind kind, long address, long bytes, HostMemory memory) {
        this.kind = kind;
        this.address = address;
        this.bytes = bytes;
        this.memory = memory;
    }

    boolean covers(long from, long length) {
        return from >= address && length <= bytes && from - address <= bytes - length;
    }
}
