package dev.baton.protocol;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A tensor whose bytes were captured when it was made and travel with the message (B1). Row-major, little-endian.
 *
 * @param type element type
 * @param shape elements along each dimension
 * @param bytes exactly the elements of the shape
 */
public record HostTensor(DataType type, List<Long> shape, HostBytes bytes) {
    public HostTensor {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(bytes, "bytes");
        shape = List.copyOf(shape);
        if (sizeOf(type, shape) != bytes.size()) {
            throw new IllegalArgumentException("a tensor of type " + type + " and shape " + shape + " has "
                    + sizeOf(type, shape) + " bytes, but " + bytes.size() + " were given");
        }
    }

    /** A vector of f32. */
    public static HostTensor ofFloats(float... values) {
        return new HostTensor(DataType.F32, List.of((long) values.length), HostBytes.ofFloats(values));
    }

    /** A vector of f64. */
    public static HostTensor ofDoubles(double... values) {
        return new HostTensor(DataType.F64, List.of((long) values.length), HostBytes.ofDoubles(values));
    }

    /** A vector of i32. */
    public static HostTensor ofInts(int... values) {
        return new HostTensor(DataType.I32, List.of((long) values.length), HostBytes.ofInts(values));
    }

    /** A vector of i64. */
    public static HostTensor ofLongs(long... values) {
        return new HostTensor(DataType.I64, List.of((long) values.length), HostBytes.ofLongs(values));
    }

    /** A tensor whose elements are the remaining bytes of a buffer, little-endian; captured, the buffer may be reused. */
    public static HostTensor copyOf(DataType type, List<Long> shape, ByteBuffer source) {
        return new HostTensor(type, shape, HostBytes.copyOf(source));
    }

    /**
     * A tensor whose elements lie in a file, little-endian; captured, what becomes of the file changes nothing.
     *
     * @param offset of the first element's first byte in the file
     */
    public static HostTensor ofFile(DataType type, List<Long> shape, Path file, long offset) throws IOException {
        return new HostTensor(type, shape, HostBytes.ofFile(file, offset, Math.toIntExact(sizeOf(type, shape))));
    }

    /**
     * Bytes of a row-major tensor of that shape.
     *
     * @throws IllegalArgumentException if a dimension is negative or the size exceeds what one message can carry (2 GiB)
     */
    public static long sizeOf(DataType type, List<Long> shape) {
        try {
            long n = type.bytes();
            for (long d : new ArrayList<>(shape)) {
                if (d < 0) {
                    throw new IllegalArgumentException("negative dimension in shape " + shape);
                }
                n = Math.multiplyExact(n, d);
            }
            if (n > Integer.MAX_VALUE - 8) {
                throw new IllegalArgumentException("shape " + shape + " of " + type + " exceeds 2 GiB in one message");
            }
            return n;
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("shape " + shape + " of " + type + " overflows", e);
        }
    }
}
