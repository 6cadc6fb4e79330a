package dev.baton.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A strided view of device or host-buffer memory.
 *
 * <p>Its span, the covering byte range that every rule of the ledger uses, is computed in one place: {@link Extent}.
 *
 * @param location the buffer or raw address that it views
 * @param offset byte offset of the first element from the location, at least zero
 * @param type element type
 * @param shape elements along each dimension, outermost first; empty for a single element; a zero makes it empty
 * @param strides distance in elements between neighbours of each dimension, may be zero or negative; empty for row-major
 */
public record Tensor(Location location, long offset, DataType type, List<Long> shape, List<Long> strides) {
    /** More dimensions than any device supports. */
    public static final int MAX_RANK = 16;

    public Tensor {
        Objects.requireNonNull(location, "location");
        Objects.requireNonNull(type, "type");
        shape = List.copyOf(shape);
        strides = List.copyOf(strides);
        if (shape.size() > MAX_RANK) {
            throw new IllegalArgumentException("rank=" + shape.size() + " exceeds MAX_RANK=" + MAX_RANK);
        }
        if (!strides.isEmpty() && strides.size() != shape.size()) {
            throw new IllegalArgumentException(
                    "strides of rank " + strides.size() + " do not fit a shape of rank " + shape.size());
        }
    }

    /** A row-major tensor. */
    public static Tensor of(Location location, long offset, DataType type, long... shape) {
        List<Long> dims = new ArrayList<>(shape.length);
        for (long d : shape) {
            dims.add(d);
        }
        return new Tensor(location, offset, type, dims, List.of());
    }

    /** The covering byte range, relative to {@link #location}. */
    public Extent extent() {
        return Extent.of(this);
    }

    /** Number of elements (not of bytes); zero when a dimension is zero. Only meaningful when the extent is valid. */
    public long elements() {
        long n = 1;
        for (long d : shape) {
            n *= d;
        }
        return n;
    }
}
