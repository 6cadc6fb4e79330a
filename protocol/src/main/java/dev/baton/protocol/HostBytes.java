package dev.baton.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Bytes captured once when made, immutable afterwards (B1): the caller's array may be reused at once.
 *
 * <p>From {@link #OFF_HEAP_FROM} bytes on they lie outside the heap, so that a driver can copy from them without staging
 * and the collector never moves what native code reads (R35).
 */
public final class HostBytes {
    /** From this size in bytes on, captured bytes lie outside the heap. */
    public static final int OFF_HEAP_FROM = 16 * 1024;

    /** No bytes. */
    public static final HostBytes EMPTY = new HostBytes(ByteBuffer.allocate(0));

    private final ByteBuffer data;

    private HostBytes(ByteBuffer data) {
        this.data = data.order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Captures a copy of the remaining bytes of {@code source}, whose position stays as it was. */
    public static HostBytes copyOf(ByteBuffer source) {
        ByteBuffer from = source.duplicate();
        ByteBuffer to = blank(from.remaining());
        to.put(from);
        to.flip();
        return new HostBytes(to);
    }

    /** Captures a copy of {@code source}. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static HostBytes copyOf(byte[] source) {
        return copyOf(ByteBuffer.wrap(source));
    }

    /** Captures little-endian f32 values. */
    public static HostBytes ofFloats(float... values) {
        ByteBuffer to = blank(Math.multiplyExact(values.length, Float.BYTES)).order(ByteOrder.LITTLE_ENDIAN);
        for (float v : values) {
            to.putFloat(v);
        }
        to.flip();
        return new HostBytes(to);
    }

    /** Captures little-endian f64 values. */
    public static HostBytes ofDoubles(double... values) {
        ByteBuffer to = blank(Math.multiplyExact(values.length, Double.BYTES));
        to.asDoubleBuffer().put(values);
        return new HostBytes(to);
    }

    /** Captures little-endian i32 values. */
    public static HostBytes ofInts(int... values) {
        ByteBuffer to = blank(Math.multiplyExact(values.length, Integer.BYTES));
        to.asIntBuffer().put(values);
        return new HostBytes(to);
    }

    /** Captures little-endian i64 values. */
    public static HostBytes ofLongs(long... values) {
        ByteBuffer to = blank(Math.multiplyExact(values.length, Long.BYTES));
        to.asLongBuffer().put(values);
        return new HostBytes(to);
    }

    /**
     * Captures a part of a file; what becomes of the file afterwards changes nothing. Blocks while it reads.
     *
     * @param offset of the first byte in the file
     * @throws java.io.EOFException if the file ends before so many bytes
     */
    public static HostBytes ofFile(Path file, long offset, int bytes) throws IOException {
        if (offset < 0 || bytes < 0) {
            throw new IllegalArgumentException("offset=" + offset + " bytes=" + bytes);
        }
        ByteBuffer to = blank(bytes);
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            while (to.hasRemaining()) {
                if (in.read(to, offset + to.position()) < 0) {
                    throw new EOFException(
                            file + ": " + bytes + " bytes from " + offset + " on were asked for, it has " + in.size());
                }
            }
        }
        return new HostBytes(to.flip());
    }

    /**
     * Takes over a buffer that the caller has filled and promises never to touch again; for drivers' results.
     *
     * @param filled the remaining bytes are the content
     */
    public static HostBytes takeOver(ByteBuffer filled) {
        return new HostBytes(filled.slice());
    }

    /** A buffer of the kind that {@link #takeOver} likes for so many bytes. */
    public static ByteBuffer blank(int bytes) {
        ByteBuffer buffer = bytes >= OFF_HEAP_FROM ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
        return buffer.order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Number of bytes. */
    public int size() {
        return data.remaining();
    }

    /** A read-only little-endian view, position zero, the caller's own. */
    public ByteBuffer view() {
        return data.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** A copy as an array. */
    @JsonValue
    public byte[] toArray() {
        byte[] out = new byte[size()];
        data.duplicate().get(out);
        return out;
    }

    /** A copy as f32 values; bytes beyond a whole element are left out. */
    public float[] toFloats() {
        float[] out = new float[size() / Float.BYTES];
        view().asFloatBuffer().get(out);
        return out;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof HostBytes b && data.equals(b.data);
    }

    @Override
    public int hashCode() {
        return data.hashCode();
    }

    @Override
    public String toString() {
        return "HostBytes[" + size() + "]";
    }
}
