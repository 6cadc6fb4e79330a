package dev.baton.protocol;

import java.util.Objects;

/**
 * One value by copy.
 *
 * @param type its type
 * @param bits the value's bits in the low end: for integers sign-extended (U8 zero-extended), for floats their encoding
 */
public record Scalar(DataType type, long bits) {
    public Scalar {
        Objects.requireNonNull(type, "type");
    }

    /** An f32 scalar. */
    public static Scalar f32(float value) {
        return new Scalar(DataType.F32, Float.floatToRawIntBits(value));
    }

    /** An f64 scalar. */
    public static Scalar f64(double value) {
        return new Scalar(DataType.F64, Double.doubleToRawLongBits(value));
    }

    /** An i32 scalar. */
    public static Scalar i32(int value) {
        return new Scalar(DataType.I32, value);
    }

    /** An i64 scalar. */
    public static Scalar i64(long value) {
        return new Scalar(DataType.I64, value);
    }

    /** The value as a double, whatever the type. */
    public double asDouble() {
        return Elements.toDouble(type, bits);
    }
}
