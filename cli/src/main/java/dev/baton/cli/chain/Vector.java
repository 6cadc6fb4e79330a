package dev.baton.cli.chain;

import dev.baton.protocol.DataType;
import dev.baton.protocol.Elements;
import dev.baton.protocol.HostBytes;
import java.nio.ByteBuffer;
import java.util.function.IntToDoubleFunction;

/** A vector of f32 or f64 in host memory. */
public record Vector(DataType type, HostBytes bytes) {
    public static Vector constant(DataType type, int elements, double value) {
        return of(type, elements, i -> value);
    }

    public static Vector of(DataType type, int elements, IntToDoubleFunction value) {
        ByteBuffer b = HostBytes.blank(Math.multiplyExact(elements, type.bytes()));
        for (int i = 0; i < elements; i++) {
            Elements.putBits(b, i * type.bytes(), type, Elements.fromDouble(type, value.applyAsDouble(i)));
        }
        return new Vector(type, HostBytes.takeOver(b));
    }

    public int elements() {
        return bytes.size() / type.bytes();
    }

    public double get(int i) {
        return Elements.toDouble(type, Elements.bitsAt(bytes.view(), i * type.bytes(), type));
    }

    /** The first elements, for people. */
    public String preview() {
        StringBuilder text = new StringBuilder("[");
        int shown = Math.min(elements(), 6);
        for (int i = 0; i < shown; i++) {
            text.append(i == 0 ? "" : ", ")
                    .append(type == DataType.F32 ? Float.toString((float) get(i)) : Double.toString(get(i)));
        }
        return text.append(elements() > shown ? ", … " + elements() + " elements]" : "]")
                .toString();
    }
}
