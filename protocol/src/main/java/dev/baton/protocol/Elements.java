package dev.baton.protocol;

import java.nio.ByteBuffer;

/** Reading and writing single elements of every {@link DataType}; encodings are little-endian, IEEE 754. */
public final class Elements {
    private Elements() {}

    /** Reads the bits of the element at a byte index, in the form that {@link Scalar#bits} has. */
    public static long bitsAt(ByteBuffer from, int index, DataType type) {
        return switch (type) {
            case F16, BF16 -> from.getShort(index) & 0xFFFFL;
            case F32 -> from.getInt(index) & 0xFFFF_FFFFL;
            case F64, I64 -> from.getLong(index);
            case I8 -> from.get(index);
            case I16 -> from.getShort(index);
            case I32 -> from.getInt(index);
            case U8 -> from.get(index) & 0xFFL;
        };
    }

    /** Writes the bits of an element at a byte index. */
    public static void putBits(ByteBuffer to, int index, DataType type, long bits) {
        switch (type.bytes()) {
            case 1 -> to.put(index, (byte) bits);
            case 2 -> to.putShort(index, (short) bits);
            case 4 -> to.putInt(index, (int) bits);
            default -> to.putLong(index, bits);
        }
    }

    /** The value of an element as a double; exact for all types but i64 beyond 2^53. */
    public static double toDouble(DataType type, long bits) {
        return switch (type) {
            case F16 -> halfToFloat((short) bits);
            case BF16 -> Float.intBitsToFloat((int) (bits << 16));
            case F32 -> Float.intBitsToFloat((int) bits);
            case F64 -> Double.longBitsToDouble(bits);
            case I8, I16, I32, I64, U8 -> bits;
        };
    }

    /** The bits of a value in a type, rounded to nearest even for floats, wrapped for integers. */
    public static long fromDouble(DataType type, double value) {
        return switch (type) {
            case F16 -> floatToHalf((float) value) & 0xFFFFL;
            case BF16 -> floatToBrain((float) value) & 0xFFFFL;
            case F32 -> Float.floatToRawIntBits((float) value) & 0xFFFF_FFFFL;
            case F64 -> Double.doubleToRawLongBits(value);
            case I8 -> (byte) (long) value;
            case I16 -> (short) (long) value;
            case I32 -> (int) (long) value;
            case I64 -> (long) value;
            case U8 -> (long) value & 0xFFL;
        };
    }

    private static float halfToFloat(short half) {
        int sign = (half & 0x8000) << 16;
        int exponent = (half >>> 10) & 0x1F;
        int fraction = half & 0x3FF;
        if (exponent == 0x1F) {
            return Float.intBitsToFloat(sign | 0x7F80_0000 | (fraction << 13));
        }
        if (exponent == 0) {
            float magnitude = fraction * 0x1p-24f;
            return sign == 0 ? magnitude : -magnitude;
        }
        return Float.intBitsToFloat(sign | ((exponent + 112) << 23) | (fraction << 13));
    }

    private static short floatToHalf(float value) {
        int bits = Float.floatToRawIntBits(value);
        int sign = (bits >>> 16) & 0x8000;
        float magnitude = Math.abs(value);
        if (Float.isNaN(value)) {
            return (short) (sign | 0x7E00);
        }
        if (magnitude >= 65520f) {
            return (short) (sign | 0x7C00);
        }
        if (magnitude < 0x1p-14f) {
            return (short) (sign | (int) Math.rint(magnitude * 0x1p24f));
        }
        int body = (bits & 0x7FFF_FFFF) - (112 << 23);
        int rounded = (body + 0xFFF + ((body >>> 13) & 1)) >>> 13;
        return (short) (sign | rounded);
    }

    private static short floatToBrain(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            return (short) ((bits >>> 16) | 0x40);
        }
        return (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
    }
}
