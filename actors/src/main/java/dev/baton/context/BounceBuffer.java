package dev.baton.context;

import dev.baton.protocol.driver.HostMemory;
import org.jspecify.annotations.Nullable;

/**
 * Memory outside the heap that one memory call after the other goes through: memory of that kind made for each would cost its pages
 * anew, and only a collection would give it back.
 */
final class BounceBuffer {
    /** Larger transfers get memory of their own. */
    static final int MOST_BYTES = 4 << 20;

    private static final int LEAST_BYTES = 16 << 10;

    private @Nullable HostMemory memory;

    /**
     * Memory of at least so many bytes, with anything in it; to be used until the call is over.
     *
     * @param bytes at most {@link #MOST_BYTES}
     */
    HostMemory of(int bytes) {
        HostMemory held = memory;
        if (held == null || held.size() < bytes) {
            int size = Integer.highestOneBit(Math.max(bytes, LEAST_BYTES) - 1) << 1;
            held = HostMemory.allocate(size);
            memory = held;
        }
        return held;
    }

    /** A call ended with a failure: nobody says that the driver has done with the memory. */
    void leave() {
        memory = null;
    }
}
