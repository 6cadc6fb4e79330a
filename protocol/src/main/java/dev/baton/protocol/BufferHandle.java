package dev.baton.protocol;

import java.util.Objects;

/**
 * Names one allocation for ever: it never resolves to a newer allocation at the same address (L10).
 *
 * @param device the device that made it
 * @param epoch the opened incarnation of the device, unique across restarts of the process
 * @param id the allocation's number within the epoch, counted from 1
 */
public record BufferHandle(String device, long epoch, long id) implements Location {
    public BufferHandle {
        Objects.requireNonNull(device, "device");
    }

    /** A tensor that begins at the start of this buffer, row-major. */
    public Tensor tensor(DataType type, long... shape) {
        return Tensor.of(this, 0, type, shape);
    }

    @Override
    public String toString() {
        return device + "#" + Long.toHexString(epoch) + "/" + id;
    }
}
