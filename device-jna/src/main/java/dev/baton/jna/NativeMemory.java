package dev.baton.jna;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import dev.baton.protocol.driver.HostMemory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory outside the heap for what native code is given by address: structures, strings, arrays. It lies still and lives until it is
 * closed, or until nobody holds this object. Used by one thread at a time.
 */
final class NativeMemory implements AutoCloseable {
    private static final int PIECE_BYTES = 4096;
    private static final int ALIGNMENT = 8;

    private final List<Memory> pieces = new ArrayList<>();
    private long used;

    /** Zeroed memory, aligned for every structure of the header. */
    Pointer take(long bytes) {
        long whole = Math.max(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
        Memory piece = pieces.isEmpty() ? null : pieces.get(pieces.size() - 1);
        if (piece == null || used + whole > piece.size()) {
            piece = new Memory(Math.max(PIECE_BYTES, whole));
            piece.clear();
            pieces.add(piece);
            used = 0;
        }
        Pointer at = piece.share(used, whole);
        used += whole;
        return at;
    }

    /** A string as C has it. */
    Pointer string(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Pointer at = take(bytes.length + 1L);
        at.write(0, bytes, 0, bytes.length);
        return at;
    }

    /** An array of 64-bit integers. */
    Pointer longs(List<Long> values) {
        Pointer at = take(Math.multiplyExact(values.size(), (long) Long.BYTES));
        for (int i = 0; i < values.size(); i++) {
            at.setLong((long) i * Long.BYTES, values.get(i));
        }
        return at;
    }

    @Override
    public void close() {
        for (Memory m : pieces) {
            m.close();
        }
        pieces.clear();
    }

    /** Where the bytes of host memory lie from an offset on, up to the end of a segment. Whoever uses it holds the memory. */
    static Pointer at(HostMemory memory, long offset) {
        return Native.getDirectBufferPointer(memory.from(offset).slice());
    }

    /** Bytes from an offset to the end of the segment it lies in. */
    static long room(HostMemory memory, long offset) {
        ByteBuffer rest = memory.from(offset);
        return rest.remaining();
    }
}
