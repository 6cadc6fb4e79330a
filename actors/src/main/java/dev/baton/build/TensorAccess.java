package dev.baton.build;

import dev.baton.protocol.DataType;
import dev.baton.protocol.Elements;
import dev.baton.protocol.Role;
import dev.baton.protocol.build.Access;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Element access to the tensors of one attempt: covered, fenced, overlaid. */
final class TensorAccess {
    /** Spaces of the overlay: allocations by their id, memory from elsewhere, and each host tensor by its argument. */
    private static final long FOREIGN = -1;

    private static final long FIRST_HOST_TENSOR = -2;

    private final List<BuildArgument> arguments;
    private final Fence fence;
    private final Device device;
    private final String runName;
    private final Overlay overlay = new Overlay();
    private final Layout[] layouts;
    /** The bytes of each argument as the host sees them, fetched on first use. */
    private final AtomicReferenceArray<@Nullable HostMemory> sources;

    private final boolean attachThreads;
    private final Set<Thread> attached = ConcurrentHashMap.newKeySet();

    /** Where the elements of one argument lie. */
    private record Layout(
            Role role,
            DataType type,
            long[] shape,
            long[] strides,
            long elements,
            boolean contiguous,
            long allocation,
            long space,
            long firstByte,
            long sourceOffset) {}

    TensorAccess(List<BuildArgument> arguments, Fence fence, Device device, String runName) {
        this.arguments = arguments;
        this.fence = fence;
        this.device = device;
        this.runName = runName;
        this.attachThreads = device.capabilities().threadAttach();
        this.attached.add(Thread.currentThread());
        this.layouts = new Layout[arguments.size()];
        this.sources = new AtomicReferenceArray<>(arguments.size());
        for (int i = 0; i < layouts.length; i++) {
            layouts[i] = layout(i, arguments.get(i));
        }
    }

    private static Layout layout(int index, BuildArgument a) {
        if (a instanceof BuildArgument.OnDevice d) {
            boolean foreign = d.allocation() < 0;
            return new Layout(
                    d.role(),
                    d.type(),
                    array(d.shape()),
                    array(d.strides()),
                    elements(d.shape()),
                    d.strides().isEmpty(),
                    d.allocation(),
                    foreign ? FOREIGN : d.allocation(),
                    foreign ? d.address() : d.firstByte(),
                    d.address() - d.spanAddress());
        } else if (a instanceof BuildArgument.Staged s) {
            boolean tensor = s.allocation() < 0;
            return new Layout(
                    s.role(),
                    s.type(),
                    array(s.shape()),
                    new long[0],
                    elements(s.shape()),
                    true,
                    s.allocation(),
                    FIRST_HOST_TENSOR - index,
                    tensor ? 0 : s.firstByte(),
                    0);
        }
        BuildArgument.Value v = (BuildArgument.Value) a;
        return new Layout(Role.SCALAR, v.scalar().type(), new long[0], new long[0], 0, true, -1, 0, 0, 0);
    }

    private static long[] array(List<Long> list) {
        return list.stream().mapToLong(Long::longValue).toArray();
    }

    private static long elements(List<Long> shape) {
        long n = 1;
        for (long d : shape) {
            n *= d;
        }
        return n;
    }

    DataType type(int argument) {
        if (argument < 0 || argument >= layouts.length) {
            throw new IllegalArgumentException("run " + runName + " has no argument " + argument);
        }
        return layouts[argument].type();
    }

    long elements(int argument) {
        return argument < 0 || argument >= layouts.length ? 0 : layouts[argument].elements();
    }

    /** Why an element may not be read, or null. */
    @Nullable
    Access refuseRead(int argument, long element) {
        Access outside = uncovered(argument, element);
        if (outside != null) {
            return outside;
        }
        Layout l = layouts[argument];
        return l.allocation() < 0 || fence.clear(l.allocation())
                ? null
                : fence.read(
                        l.allocation(),
                        l.firstByte() + offset(l, element),
                        l.type().bytes());
    }

    /** Why an element may not be written, or null. */
    @Nullable
    Access refuseWrite(int argument, long element) {
        Access outside = uncovered(argument, element);
        if (outside != null) {
            return outside;
        }
        Layout l = layouts[argument];
        if (!l.role().writes()) {
            return new Access.NotCovered("run " + runName + ": argument " + argument + " is IN and can't be written");
        }
        return l.allocation() < 0 || fence.clear(l.allocation())
                ? null
                : fence.write(
                        l.allocation(),
                        l.firstByte() + offset(l, element),
                        l.type().bytes());
    }

    private @Nullable Access uncovered(int argument, long element) {
        if (argument < 0 || argument >= layouts.length) {
            return new Access.NotCovered("run " + runName + " has no argument " + argument);
        }
        Layout l = layouts[argument];
        if (l.role() == Role.SCALAR) {
            return new Access.NotCovered("run " + runName + ": argument " + argument + " is a scalar");
        }
        return element >= 0 && element < l.elements()
                ? null
                : new Access.NotCovered("run " + runName + ": element " + element + " lies outside argument " + argument
                        + " of " + l.elements() + " elements");
    }

    /** The bits of an element that may be read. */
    long bits(int argument, long element) throws DriverException {
        Layout l = layouts[argument];
        long offset = offset(l, element);
        HostMemory source = sources.get(argument);
        if (source == null) {
            source = fetch(argument);
        }
        long at = l.sourceOffset() + offset;
        if (source == null) {
            // runs ahead may still write elsewhere in the span: only the bytes that may be read are read, each time
            // anew
            BuildArgument.OnDevice d = (BuildArgument.OnDevice) arguments.get(argument);
            source = HostMemory.allocate(l.type().bytes());
            attach();
            device.read(runName, d.address() + offset, source, 0, l.type().bytes());
            at = 0;
        }
        long bits;
        if (source.segments() == 1) {
            bits = Elements.bitsAt(source.single(), (int) at, l.type());
        } else {
            ByteBuffer one = ByteBuffer.allocate(l.type().bytes()).order(java.nio.ByteOrder.LITTLE_ENDIAN);
            source.get(at, one);
            bits = Elements.bitsAt(one, 0, l.type());
        }
        return overlay.unused()
                ? bits
                : asRead(
                        l.type(),
                        overlay.over(
                                l.space(),
                                place(l, offset),
                                raw(l.type(), bits),
                                l.type().bytes()));
    }

    private static long raw(DataType type, long bits) {
        return type.bytes() == 8 ? bits : bits & ((1L << (8 * type.bytes())) - 1);
    }

    /** Sign-extends integers again. */
    private static long asRead(DataType type, long raw) {
        return switch (type) {
            case I8 -> (byte) raw;
            case I16 -> (short) raw;
            case I32 -> (int) raw;
            default -> raw;
        };
    }

    void put(int argument, long element, long bits) {
        Layout l = layouts[argument];
        overlay.put(l.space(), place(l, offset(l, element)), bits, l.type().bytes());
    }

    private long place(Layout l, long offset) {
        return l.space() <= FIRST_HOST_TENSOR ? offset : l.firstByte() + offset;
    }

    /** The bytes of an argument as the host sees them; null if they can't be kept for the whole attempt. */
    private @Nullable HostMemory fetch(int argument) throws DriverException {
        HostMemory fresh;
        if (arguments.get(argument) instanceof BuildArgument.OnDevice d) {
            HostMemory view = device.view(d.spanAddress(), d.spanBytes());
            if (view == null) {
                if (d.allocation() >= 0 && !fence.clear(d.allocation())) {
                    return null;
                }
                // no run ahead names the allocation, and nobody else may write what this run names
                view = HostMemory.allocate(d.spanBytes());
                attach();
                device.read(runName, d.spanAddress(), view, 0, d.spanBytes());
            }
            fresh = view;
        } else {
            fresh = ((BuildArgument.Staged) arguments.get(argument)).staging();
        }
        sources.compareAndSet(argument, null, fresh);
        return sources.get(argument);
    }

    /** A build's own threads are attached before they call the driver; the slot's is already (R41). */
    private void attach() throws DriverException {
        if (attachThreads && attached.add(Thread.currentThread())) {
            device.attachThread();
        }
    }

    /** Byte offset of an element from element zero; elements are numbered row-major. */
    private static long offset(Layout l, long element) {
        if (l.contiguous()) {
            return element * l.type().bytes();
        }
        long rest = element;
        long at = 0;
        for (int d = l.shape().length - 1; d >= 0; d--) {
            at += (rest % l.shape()[d]) * l.strides()[d];
            rest /= l.shape()[d];
        }
        return at * l.type().bytes();
    }

    void applyToStaging() {
        for (int i = 0; i < layouts.length; i++) {
            if (arguments.get(i) instanceof BuildArgument.Staged s) {
                for (Overlay.Run run : overlay.runs(layouts[i].space())) {
                    s.staging().put(run.offset(), buffer(run));
                }
            }
        }
    }

    List<DeviceWrite> deviceWrites() {
        if (overlay.unused()) {
            return List.of();
        }
        // base address of each space that lies on the device
        Map<Long, Long> bases = new LinkedHashMap<>();
        for (int i = 0; i < layouts.length; i++) {
            if (arguments.get(i) instanceof BuildArgument.OnDevice d) {
                bases.put(layouts[i].space(), d.allocation() < 0 ? 0 : d.address() - d.firstByte());
            }
        }
        List<DeviceWrite> writes = new ArrayList<>();
        bases.forEach((space, base) -> {
            for (Overlay.Run run : overlay.runs(space)) {
                HostMemory bytes = HostMemory.allocate(run.bytes().size());
                bytes.put(0, buffer(run));
                writes.add(new DeviceWrite(base + run.offset(), bytes));
            }
        });
        return writes;
    }

    private static ByteBuffer buffer(Overlay.Run run) {
        ByteBuffer b = ByteBuffer.allocate(run.bytes().size());
        for (byte x : run.bytes()) {
            b.put(x);
        }
        b.flip();
        return b;
    }
}
