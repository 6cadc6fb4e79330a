package dev.baton.build;

import dev.baton.protocol.DataType;
import java.util.List;

/**
 * Where the elements of a tensor lie, in bytes from element zero. Elements are numbered row-major over the shape, whatever
 * the strides.
 */
final class Layout {
    private final int size;
    private final long elements;
    private final boolean rowMajor;
    private final long[] shape;
    private final long[] strides;

    /**
     * Of a tensor whose extent is valid.
     *
     * @param strides in elements, empty for row-major
     */
    Layout(DataType type, List<Long> shape, List<Long> strides) {
        this.size = type.bytes();
        this.shape = shape.stream().mapToLong(Long::longValue).toArray();
        this.strides = strides.stream().mapToLong(Long::longValue).toArray();
        boolean dense = true;
        long below = 1;
        for (int d = this.shape.length - 1; d >= 0; d--) {
            dense &= strides.isEmpty() || this.shape[d] == 1 || this.strides[d] == below;
            below *= this.shape[d];
        }
        this.elements = below;
        this.rowMajor = dense;
    }

    /** How many elements there are. */
    long elements() {
        return elements;
    }

    /** Whether neighbours in number are neighbours in memory. */
    boolean rowMajor() {
        return rowMajor;
    }

    /** Whether there is an element of that number. */
    boolean has(long element) {
        return element >= 0 && element < elements;
    }

    /** Bytes from element zero to an element that there is; negative where strides are. */
    long offset(long element) {
        return rowMajor ? element * size : strided(element);
    }

    private long strided(long element) {
        long rest = element;
        long at = 0;
        for (int d = shape.length - 1; d >= 0; d--) {
            at += rest % shape[d] * strides[d];
            rest /= shape[d];
        }
        return at * size;
    }

    /** Bytes from element zero down to the first byte covered, at most zero. */
    long low() {
        return rowMajor ? 0 : reach(false);
    }

    /** Bytes from element zero to the end of the last byte covered; {@link #low} if there is no element. */
    long high() {
        if (elements == 0) {
            return 0;
        }
        return rowMajor ? elements * size : reach(true) + size;
    }

    private long reach(boolean up) {
        long at = 0;
        for (int d = 0; elements > 0 && d < shape.length; d++) {
            long reach = (shape[d] - 1) * strides[d];
            at += reach > 0 == up ? reach : 0;
        }
        return at * size;
    }
}
