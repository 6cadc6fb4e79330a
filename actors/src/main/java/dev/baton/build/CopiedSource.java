package dev.baton.build;

import dev.baton.protocol.DataType;
import dev.baton.protocol.Elements;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Device memory that the host can't see: read through private copies, fetched piece by piece on first use.
 *
 * <p>Only a piece all of whose bytes may be read is fetched and kept: a refused byte is never touched, and a kept one never
 * changes while the attempt lasts, since its producers have ended and this run holds it (L12). Where a part of a piece is
 * refused, single elements are fetched and not kept.
 */
final class CopiedSource implements Source {
    /** Bytes fetched at once; a build reads few control values, so whole tensors would be too much. */
    static final int PIECE_BYTES = 64 * 1024;

    /** Whether all bytes of a range of the span may be read. */
    interface Gate {
        boolean open(long start, long end);
    }

    private final DriverCalls calls;
    private final String label;
    private final long address;
    private final long bytes;
    private final Gate gate;
    private final AtomicReferenceArray<ByteBuffer> pieces;

    /**
     * Nothing is fetched yet.
     *
     * @param address of the span's first byte
     */
    CopiedSource(DriverCalls calls, String label, long address, long bytes, Gate gate) {
        this.calls = calls;
        this.label = label;
        this.address = address;
        this.bytes = bytes;
        this.gate = gate;
        this.pieces = new AtomicReferenceArray<>(Math.toIntExact((bytes + PIECE_BYTES - 1) / PIECE_BYTES));
    }

    @Override
    public long bits(long offset, DataType type) throws DriverException {
        int at = (int) (offset % PIECE_BYTES);
        if (at + type.bytes() <= PIECE_BYTES) {
            int k = (int) (offset / PIECE_BYTES);
            ByteBuffer piece = pieces.get(k);
            if (piece != null) {
                return Elements.bitsAt(piece, at, type);
            }
            long start = (long) k * PIECE_BYTES;
            long end = Math.min(bytes, start + PIECE_BYTES);
            if (gate.open(start, end)) {
                ByteBuffer fresh = fetch(start, (int) (end - start));
                pieces.compareAndSet(k, null, fresh);
                return Elements.bitsAt(fresh, at, type);
            }
        }
        return Elements.bitsAt(fetch(offset, type.bytes()), 0, type);
    }

    private ByteBuffer fetch(long start, int count) throws DriverException {
        HostMemory to = HostMemory.allocate(count);
        calls.read(label, address + start, to, count);
        return to.single();
    }
}
