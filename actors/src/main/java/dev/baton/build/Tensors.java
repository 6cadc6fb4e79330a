package dev.baton.build;

import dev.baton.protocol.driver.HostMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tensor arguments of one attempt, and what becomes of their overlays when the preparation succeeds (B10). */
final class Tensors {
    /** Small writes to the device share memory in pieces of this size, so that many of them cost few allocations. */
    private static final int SHARED_BYTES = 1 << 20;

    /** The overlays' space of memory from elsewhere. Allocations are spaces by their id; host tensors follow below. */
    private static final long ELSEWHERE = -1;

    /** Null where an argument is a scalar. An array, since every access looks here. */
    private final @Nullable TensorArgument[] tensors;

    private final Map<Long, Overlay> spaces = new HashMap<>();

    Tensors(List<BuildArgument> arguments, Fence fence, DriverCalls calls, String runName) {
        tensors = new TensorArgument[arguments.size()];
        for (int i = 0; i < tensors.length; i++) {
            BuildArgument a = arguments.get(i);
            if (a instanceof BuildArgument.OnDevice d) {
                Overlay overlay = space(d.allocation() < 0 ? ELSEWHERE : d.allocation());
                tensors[i] = new TensorArgument(i, d, overlay, fenced(fence, d.allocation()), calls, runName);
            } else if (a instanceof BuildArgument.Staged s) {
                Overlay overlay = space(s.allocation() < 0 ? ELSEWHERE - 1 - i : s.allocation());
                tensors[i] = new TensorArgument(i, s, overlay, fenced(fence, s.allocation()), calls, runName);
            }
        }
    }

    private Overlay space(long id) {
        return spaces.computeIfAbsent(id, k -> new Overlay());
    }

    private static @Nullable FencedBytes fenced(Fence fence, long allocation) {
        return allocation < 0 ? null : fence.of(allocation);
    }

    /** The tensor of an argument; null if there is no such argument or it is a scalar. */
    @Nullable
    TensorArgument of(int argument) {
        return argument >= 0 && argument < tensors.length ? tensors[argument] : null;
    }

    /** How many arguments there are. */
    int arguments() {
        return tensors.length;
    }

    /** Lays the overlays over staging, also over that of arguments which alias the written one. */
    void applyToStaging() {
        for (TensorArgument t : tensors) {
            if (t != null && t.argument instanceof BuildArgument.Staged s && !t.overlay.unused()) {
                apply(t, s.staging());
            }
        }
    }

    private static void apply(TensorArgument t, HostMemory staging) {
        if (t.layout.rowMajor()) {
            for (Overlay.Run run : t.overlay.runs()) {
                long start = Math.max(run.start(), t.place);
                long end = Math.min(run.end(), t.place + t.layout.high());
                if (start < end) {
                    t.overlay.copy(start, end, staging, start - t.place);
                }
            }
            return;
        }
        int size = t.type.bytes();
        ByteBuffer one = ByteBuffer.allocate(1);
        for (long e = 0; e < t.layout.elements(); e++) {
            long at = t.place + t.layout.offset(e);
            for (int i = 0; i < size; i++) {
                if (t.overlay.covers(at + i, 1)) {
                    staging.put(e * size + i, one.put(0, (byte) t.overlay.over(at + i, 0, 1)));
                }
            }
        }
    }

    /** What is to be written to device memory, neighbouring bytes together. */
    List<DeviceWrite> deviceWrites() {
        // each space once, by any argument that lies in it: the device address of the space's byte zero
        Map<Overlay, Long> bases = new LinkedHashMap<>();
        for (TensorArgument t : tensors) {
            if (t != null && t.argument instanceof BuildArgument.OnDevice d && !t.overlay.unused()) {
                bases.put(t.overlay, d.address() - t.place);
            }
        }
        List<DeviceWrite> writes = new ArrayList<>();
        bases.forEach((overlay, base) -> {
            ByteBuffer shared = ByteBuffer.allocateDirect(0);
            for (Overlay.Run run : overlay.runs()) {
                long bytes = run.end() - run.start();
                HostMemory memory;
                if (bytes > SHARED_BYTES) {
                    memory = HostMemory.allocate(bytes);
                } else {
                    if (shared.remaining() < bytes) {
                        shared = ByteBuffer.allocateDirect(SHARED_BYTES);
                    }
                    memory = HostMemory.of(shared.slice().limit((int) bytes));
                    shared.position(shared.position() + (int) bytes);
                }
                overlay.copy(run.start(), run.end(), memory, 0);
                writes.add(new DeviceWrite(base + run.start(), memory));
            }
        });
        return writes;
    }
}
