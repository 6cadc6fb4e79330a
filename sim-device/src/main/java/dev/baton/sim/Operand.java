package dev.baton.sim;

import dev.baton.protocol.DataType;
import dev.baton.protocol.Elements;
import dev.baton.protocol.Role;
import dev.baton.protocol.driver.HostMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A tensor as a kernel sees it. Elements are numbered row-major; every access is checked. */
public final class Operand {
    /** Finds the allocated memory that holds some bytes. */
    @FunctionalInterface
    interface Lookup {
        @Nullable
        Allocation find(long address, long bytes);
    }

    private final String name;
    private final Role role;
    private final DataType type;
    private final long address;
    private final List<Long> shape;
    private final List<Long> strides;
    private final long count;
    private final boolean contiguous;
    private final Lookup lookup;
    private final Touches.@Nullable OfArgument touches;
    private @Nullable Allocation last;

    /**
     * Makes an operand.
     *
     * @param name run and argument, begins every sentence about it
     * @param touches hears of every access, or null
     */
    Operand(
            String name,
            Role role,
            DataType type,
            long address,
            List<Long> shape,
            List<Long> strides,
            Lookup lookup,
            Touches.@Nullable OfArgument touches) {
        this.name = name;
        this.role = role;
        this.type = type;
        this.address = address;
        this.shape = shape;
        this.strides = strides;
        this.lookup = lookup;
        this.touches = touches;
        long n = 1;
        for (long d : shape) {
            n *= d;
        }
        this.count = n;
        boolean rowMajor = true;
        long step = 1;
        for (int i = shape.size() - 1; i >= 0 && !strides.isEmpty(); i--) {
            rowMajor &= strides.get(i) == step || shape.get(i) == 1;
            step *= shape.get(i);
        }
        this.contiguous = rowMajor;
    }

    /** Number of elements. */
    public long elements() {
        return count;
    }

    /** Element type. */
    public DataType type() {
        return type;
    }

    /** What the run may do with it. */
    public Role role() {
        return role;
    }

    /** Size along each dimension. */
    public List<Long> shape() {
        return shape;
    }

    /** Reads an element. */
    public double get(long index) {
        return Elements.toDouble(type, bits(index));
    }

    /** Writes an element. */
    public void set(long index, double value) {
        setBits(index, Elements.fromDouble(type, value));
    }

    /** Reads an element's bits. */
    public long bits(long index) {
        long at = checked(index);
        Allocation a = locate(at, type.bytes());
        touched(at, false);
        HostMemory m = a.memory;
        if (m.segments() == 1) {
            return Elements.bitsAt(m.single(), (int) (at - a.address), type);
        }
        ByteBuffer one = one();
        m.get(at - a.address, one);
        return Elements.bitsAt(one, 0, type);
    }

    /** Writes an element's bits. */
    public void setBits(long index, long bits) {
        long at = checked(index);
        if (!role.writes()) {
            throw new KernelFault(name + " at " + hex(at) + " is " + role + " and may not be written");
        }
        Allocation a = locate(at, type.bytes());
        touched(at, true);
        HostMemory m = a.memory;
        if (m.segments() == 1) {
            Elements.putBits(m.single(), (int) (at - a.address), type, bits);
            return;
        }
        ByteBuffer one = one();
        Elements.putBits(one, 0, type, bits);
        m.put(at - a.address, one);
    }

    private ByteBuffer one() {
        return ByteBuffer.allocate(type.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void touched(long at, boolean written) {
        if (touches != null) {
            touches.add(written, at, type.bytes());
        }
    }

    /** The first {@code n} elements, which lie in a row, are about to be read, written or both. */
    void touched(long n, boolean read, boolean written) {
        if (touches != null && read) {
            touches.add(false, address, n * type.bytes());
        }
        if (touches != null && written) {
            touches.add(true, address, n * type.bytes());
        }
    }

    /** Whether the first {@code n} elements are plain floats in a row in one allocation. */
    boolean plain(long n) {
        return type == DataType.F32
                && contiguous
                && n <= count
                && (address & 3) == 0
                && (n == 0 || lookup(address, n * Float.BYTES) != null);
    }

    /** The floats from an element on, as many as lie in one piece; only after {@link #plain}. */
    FloatBuffer floats(long index) {
        long at = address + index * Float.BYTES;
        Allocation a = locate(at, Float.BYTES);
        ByteBuffer b = a.memory.from(at - a.address);
        return b.slice().order(b.order()).asFloatBuffer();
    }

    /** Overwrites all elements with a pattern byte, as far as they are allocated. */
    void scribble(int pattern) {
        long bytes = count * type.bytes();
        if (contiguous) {
            Allocation whole = count == 0 ? null : lookup(address, bytes);
            if (whole != null) {
                touched(count, false, true);
                Patterns.bytes(whole.memory, address - whole.address, bytes, pattern);
                return;
            }
        }
        for (long i = 0; i < count; i++) {
            Allocation a = lookup(addressOf(i), type.bytes());
            if (a != null) {
                touched(addressOf(i), true);
                Patterns.bytes(a.memory, addressOf(i) - a.address, type.bytes(), pattern);
            }
        }
    }

    private long checked(long index) {
        if (index < 0 || index >= count) {
            throw new KernelFault(name + " at " + hex(addressOf(index)) + ": element " + index + " is outside its "
                    + count + " elements");
        }
        return addressOf(index);
    }

    private long addressOf(long index) {
        if (contiguous || count == 0) {
            return address + index * type.bytes();
        }
        long rest = index;
        long offset = 0;
        for (int i = shape.size() - 1; i >= 0; i--) {
            long at = i == 0 ? rest : rest % shape.get(i);
            rest = i == 0 ? 0 : rest / shape.get(i);
            offset += at * strides.get(i);
        }
        return address + offset * type.bytes();
    }

    private Allocation locate(long at, long bytes) {
        Allocation a = lookup(at, bytes);
        if (a == null) {
            throw new KernelFault(name + " touches " + hex(at) + ", which is not allocated");
        }
        return a;
    }

    private @Nullable Allocation lookup(long at, long bytes) {
        Allocation a = last;
        if (a == null || a.freed || !a.covers(at, bytes)) {
            a = lookup.find(at, bytes);
            last = a;
        }
        return a;
    }

    static String hex(long address) {
        return "0x" + Long.toHexString(address);
    }
}
