package dev.baton.sim;

import dev.baton.protocol.driver.HostMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Fills memory with repeated bits. */
final class Patterns {
    /** What freed memory holds. */
    static final int FREED = 0xDB;
    /** What a run that failed by order leaves in its OUT arguments. */
    static final int SCRIBBLE = 0xEE;

    private static final int CHUNK = 8192;

    private Patterns() {}

    static void bytes(HostMemory to, long offset, long bytes, int value) {
        fill(to, offset, value, 1, bytes);
    }

    /** Writes the low bits of a pattern again and again. */
    static void fill(HostMemory to, long offset, long pattern, int patternBytes, long count) {
        long total = Math.multiplyExact(count, (long) patternBytes);
        int whole = (int) Math.min(total, CHUNK - CHUNK % patternBytes);
        ByteBuffer chunk = ByteBuffer.allocate(whole).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < whole; i++) {
            int shift = 8 * (i % patternBytes);
            chunk.put(i, shift >= Long.SIZE ? 0 : (byte) (pattern >>> shift));
        }
        for (long done = 0; done < total; ) {
            int n = (int) Math.min(whole, total - done);
            to.put(offset + done, chunk.duplicate().limit(n));
            done += n;
        }
    }
}
