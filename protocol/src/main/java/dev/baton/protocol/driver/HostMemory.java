package dev.baton.protocol.driver;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Host memory outside the heap with long offsets, in segments where Java needs them. Little-endian. Whoever holds this
 * object holds the memory; the collector neither moves nor frees it meanwhile (R35).
 */
public final class HostMemory {
    /** Largest segment in bytes. */
    public static final int SEGMENT_BYTES = 1 << 30;

    private final List<ByteBuffer> segments;
    private final long size;

    private HostMemory(List<ByteBuffer> segments, long size) {
        this.segments = segments;
        this.size = size;
    }

    /** Fresh zeroed memory. */
    public static HostMemory allocate(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes=" + bytes);
        }
        List<ByteBuffer> list = new ArrayList<>();
        for (long at = 0; at < bytes; at += SEGMENT_BYTES) {
            list.add(ByteBuffer.allocateDirect((int) Math.min(SEGMENT_BYTES, bytes - at))
                    .order(ByteOrder.LITTLE_ENDIAN));
        }
        return new HostMemory(list, bytes);
    }

    /** The remaining bytes of a direct buffer, shared, not copied. */
    public static HostMemory of(ByteBuffer direct) {
        if (!direct.isDirect()) {
            throw new IllegalArgumentException("the buffer lies on the heap; a direct one is needed");
        }
        ByteBuffer slice = direct.slice().order(ByteOrder.LITTLE_ENDIAN);
        return slice.remaining() > SEGMENT_BYTES
                ? new HostMemory(
                        List.of(
                                slice.slice(0, SEGMENT_BYTES).order(ByteOrder.LITTLE_ENDIAN),
                                slice.slice(SEGMENT_BYTES, slice.remaining() - SEGMENT_BYTES)
                                        .order(ByteOrder.LITTLE_ENDIAN)),
                        slice.remaining())
                : new HostMemory(slice.hasRemaining() ? List.of(slice) : List.of(), slice.remaining());
    }

    /** Size in bytes. */
    public long size() {
        return size;
    }

    /**
     * The segment that holds an offset, with its position there; its remaining bytes go on at most to the segment's end. The
     * caller's own view.
     */
    public ByteBuffer from(long offset) {
        if (offset < 0 || offset >= size) {
            throw new IndexOutOfBoundsException("offset=" + offset + " size=" + size);
        }
        ByteBuffer segment = segments.get((int) (offset / SEGMENT_BYTES)).duplicate();
        segment.order(ByteOrder.LITTLE_ENDIAN);
        return segment.position((int) (offset % SEGMENT_BYTES));
    }

    /** The one segment of memory of at most {@link #SEGMENT_BYTES}, not a copy: absolute reads and writes only. */
    public ByteBuffer single() {
        if (segments.size() != 1) {
            throw new IllegalStateException("size=" + size + " has " + segments.size() + " segments");
        }
        return segments.get(0);
    }

    /** Number of segments. */
    public int segments() {
        return segments.size();
    }

    /** Writes the remaining bytes of a buffer at an offset; its position stays. */
    public void put(long offset, ByteBuffer source) {
        ByteBuffer in = source.duplicate();
        check(offset, in.remaining());
        long at = offset;
        while (in.hasRemaining()) {
            ByteBuffer to = from(at);
            int n = Math.min(to.remaining(), in.remaining());
            ByteBuffer part = in.duplicate();
            part.limit(part.position() + n);
            to.put(part);
            in.position(in.position() + n);
            at += n;
        }
    }

    /** Fills the remaining bytes of a buffer from an offset on and moves its position to its limit. */
    public void get(long offset, ByteBuffer target) {
        check(offset, target.remaining());
        long at = offset;
        while (target.hasRemaining()) {
            ByteBuffer in = from(at);
            int n = Math.min(in.remaining(), target.remaining());
            in.limit(in.position() + n);
            target.put(in);
            at += n;
        }
    }

    /** Copies between memories that do not overlap. */
    public static void copy(HostMemory from, long fromOffset, HostMemory to, long toOffset, long bytes) {
        from.check(fromOffset, bytes);
        to.check(toOffset, bytes);
        long done = 0;
        while (done < bytes) {
            ByteBuffer in = from.from(fromOffset + done);
            int n = (int) Math.min(in.remaining(), bytes - done);
            in.limit(in.position() + n);
            to.put(toOffset + done, in);
            done += n;
        }
    }

    private void check(long offset, long bytes) {
        if (offset < 0 || bytes < 0 || bytes > size - offset) {
            throw new IndexOutOfBoundsException("offset=" + offset + " bytes=" + bytes + " size=" + size);
        }
    }
}
