package dev.baton.protocol;

/** Element type of a tensor or a scalar; sizes in bytes. */
public enum DataType {
    F16(2),
    BF16(2),
    F32(4),
    F64(8),
    I8(1),
    I16(2),
    I32(4),
    I64(8),
    U8(1);

    private final int bytes;

    DataType(int bytes) {
        this.bytes = bytes;
    }

    /** Size of one element in bytes. */
    public int bytes() {
        return bytes;
    }
}
