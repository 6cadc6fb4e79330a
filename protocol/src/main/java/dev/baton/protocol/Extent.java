package dev.baton.protocol;

import java.util.List;

/**
 * The byte range that covers a tensor, relative to its location: the one definition of a span (L2).
 *
 * @param start first byte; may be negative only when a negative stride leaves the buffer, which resolving refuses
 * @param length bytes covered; zero for an empty tensor, which takes neither borrow nor declaration
 * @param valid false if a dimension or the offset is negative or the arithmetic overflows; then nothing else counts
 */
public record Extent(long start, long length, boolean valid) {
    private static final Extent INVALID = new Extent(0, 0, false);

    static Extent of(Tensor tensor) {
        List<Long> shape = tensor.shape();
        List<Long> strides = tensor.strides();
        if (tensor.offset() < 0) {
            return INVALID;
        }
        boolean empty = false;
        for (long d : shape) {
            if (d < 0) {
                return INVALID;
            }
            empty |= d == 0;
        }
        if (empty) {
            return new Extent(tensor.offset(), 0, true);
        }
        try {
            long low = 0;
            long high = 0;
            long rowMajor = 1;
            for (int i = shape.size() - 1; i >= 0; i--) {
                long stride = strides.isEmpty() ? rowMajor : strides.get(i);
                long reach = Math.multiplyExact(shape.get(i) - 1, stride);
                if (reach < 0) {
                    low = Math.addExact(low, reach);
                } else {
                    high = Math.addExact(high, reach);
                }
                rowMajor = Math.multiplyExact(rowMajor, shape.get(i));
            }
            int size = tensor.type().bytes();
            long start = Math.addExact(tensor.offset(), Math.multiplyExact(low, (long) size));
            long end =
                    Math.addExact(Math.addExact(tensor.offset(), Math.multiplyExact(high, (long) size)), (long) size);
            return new Extent(start, Math.subtractExact(end, start), true);
        } catch (ArithmeticException overflow) {
            return INVALID;
        }
    }
}
