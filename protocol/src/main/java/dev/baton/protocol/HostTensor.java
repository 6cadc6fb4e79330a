package dev.baton.protocol;

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
