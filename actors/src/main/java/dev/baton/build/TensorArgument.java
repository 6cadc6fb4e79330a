package dev.baton.build;

import dev.baton.protocol.DataType;
import dev.baton.protocol.Role;
import dev.baton.protocol.build.Access;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import org.jspecify.annotations.Nullable;

/**
 * One tensor argument of an attempt: what fences its elements, and what their bytes are. The callers see to it that the
 * elements are there ({@link Layout#has}). Any thread may ask.
 *
 * <p>The verdict <em>may be read</em> for the whole argument never ends (see {@link FencedBytes}) and is kept: an access to an
 * argument that nothing stands in the way of costs one volatile read more than its bytes.
 */
final class TensorArgument {
    final int index;
    final Role role;
    final DataType type;
    final Layout layout;
    final Overlay overlay;
    final BuildArgument argument;

    /** Of element zero in the space of the overlay. */
    final long place;

    private final int size;
    private final DriverCalls calls;
    private final String runName;
    private final @Nullable FencedBytes fenced;

    /** From the first byte of the source to element zero. */
    private final long sourceOffset;

    /** Staging is row-major whatever the strides of its host buffer. */
    private final boolean stridedStaging;

    /** An OUT host tensor: there are no bytes before the run has ended, but those that the attempt writes. */
    private final boolean blank;

    private volatile @Nullable Source source;
    private volatile boolean readable;

    /** The widest one met so far that may be read, for arguments a part of which may not. */
    private volatile FencedBytes.Window window = FencedBytes.Window.NONE;

    private volatile boolean writable;
    /** The whole is judged once; if it is refused then, elements are judged by themselves from then on. */
    private volatile boolean readJudgedWhole;

    private volatile boolean writeJudgedWhole;

    TensorArgument(
            int index,
            BuildArgument.OnDevice d,
            Overlay overlay,
            @Nullable FencedBytes fenced,
            DriverCalls calls,
            String runName) {
        this.index = index;
        this.role = d.role();
        this.type = d.type();
        this.layout = new Layout(d.type(), d.shape(), d.strides());
        this.overlay = overlay;
        this.argument = d;
        // memory from elsewhere lies at its address, whichever argument names it (N5)
        this.place = d.allocation() < 0 ? d.address() : d.firstByte();
        this.size = type.bytes();
        this.calls = calls;
        this.runName = runName;
        this.fenced = fenced;
        this.sourceOffset = d.address() - d.spanAddress();
        this.stridedStaging = false;
        this.blank = false;
        this.readable = fenced == null;
        this.writable = fenced == null;
    }

    TensorArgument(
            int index,
            BuildArgument.Staged s,
            Overlay overlay,
            @Nullable FencedBytes fenced,
            DriverCalls calls,
            String runName) {
        this.index = index;
        this.role = s.role();
        this.type = s.type();
        this.layout = new Layout(s.type(), s.shape(), s.strides());
        this.overlay = overlay;
        this.argument = s;
        this.place = s.allocation() < 0 ? 0 : s.firstByte();
        this.size = type.bytes();
        this.calls = calls;
        this.runName = runName;
        this.fenced = fenced;
        HostMemory buffer = s.buffer();
        boolean inBuffer = buffer != null && !role.reads();
        this.sourceOffset = inBuffer ? s.firstByte() : 0;
        this.stridedStaging = !inBuffer && !layout.rowMajor();
        this.blank = buffer == null && !role.reads();
        this.readable = fenced == null && !blank;
        this.writable = fenced == null;
        // staging of OUT is room for results: what is in a host buffer now is read there (B1, B3)
        this.source = new Source.InPlace(inBuffer && buffer != null ? buffer : s.staging());
    }

    /** Why an element may not be read now, or null. */
    @Nullable
    Access refuseRead(long element) {
        return readable || window.holds(place + layout.offset(element), size) ? null : judgeRead(element);
    }

    private @Nullable Access judgeRead(long element) {
        if (blank) {
            return overlay.covers(place + layout.offset(element), size)
                    ? null
                    : new Access.NotCovered("run " + runName + ": argument " + index
                            + " is an OUT host tensor: it has no bytes yet but those that this build wrote");
        }
        FencedBytes f = fenced;
        if (f == null) {
            return null;
        }
        if (!readJudgedWhole) {
            readJudgedWhole = true;
            if (f.read(place + layout.low(), place + layout.high()) == null) {
                readable = true;
                return null;
            }
        }
        long at = place + layout.offset(element);
        Access refusal = f.read(at, at + size);
        if (refusal == null) {
            FencedBytes.Window around = f.window(at);
            if (around.widerThan(window)) {
                window = around;
            }
            return null;
        }
        // B10: an attempt reads its own writes; what it wrote over void bytes it may read
        return overlay.covers(at, size) ? null : refusal;
    }

    /** Why an element may not be written now, or null. */
    @Nullable
    Access refuseWrite(long element) {
        FencedBytes f = fenced;
        if (writable || f == null) {
            return null;
        }
        if (!writeJudgedWhole) {
            writeJudgedWhole = true;
            if (f.write(place + layout.low(), place + layout.high()) == null) {
                writable = true;
                return null;
            }
        }
        long at = place + layout.offset(element);
        return f.write(at, at + size);
    }

    /** The bits of an element that may be read, in the form of {@link dev.baton.protocol.Scalar#bits}. */
    long bits(long element) throws DriverException {
        long offset = layout.offset(element);
        return overlay.unused() ? beneath(element, offset) : overlaid(element, offset);
    }

    private long overlaid(long element, long offset) throws DriverException {
        long at = place + offset;
        // bytes beneath that are covered whole are not looked at: they may be void
        long beneath = overlay.covers(at, size) ? 0 : beneath(element, offset);
        long bits = overlay.over(at, beneath, size);
        return switch (type) {
            case I8 -> (byte) bits;
            case I16 -> (short) bits;
            case I32 -> (int) bits;
            case U8, F16, BF16, F32 -> bits & ((1L << (8 * size)) - 1);
            case I64, F64 -> bits;
        };
    }

    private long beneath(long element, long offset) throws DriverException {
        Source from = source;
        if (from == null) {
            from = open((BuildArgument.OnDevice) argument);
        }
        return from.bits(stridedStaging ? element * size : sourceOffset + offset, type);
    }

    private Source open(BuildArgument.OnDevice d) throws DriverException {
        HostMemory view = calls.view(d.spanAddress(), d.spanBytes());
        long spanPlace = place - sourceOffset;
        FencedBytes f = fenced;
        Source opened = view != null
                ? new Source.InPlace(view)
                : new CopiedSource(
                        calls,
                        runName,
                        d.spanAddress(),
                        d.spanBytes(),
                        (start, end) -> f == null || f.read(spanPlace + start, spanPlace + end) == null);
        source = opened;
        return opened;
    }

    /** Writes an element of a role that writes; only elements that may be written now. */
    void put(long element, long bits) {
        overlay.put(place + layout.offset(element), bits, size);
    }
}
