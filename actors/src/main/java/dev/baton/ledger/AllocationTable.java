package dev.baton.ledger;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.Extent;
import dev.baton.protocol.RawAddress;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Tensor;
import dev.baton.protocol.driver.HostMemory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The allocations of one epoch, by handle in O(1) and by device address in O(log n) (L3).
 *
 * <p>Not a word of Pekko, no thread but its owner's.
 */
public final class AllocationTable {
    private final String device;
    private final long epoch;
    private final Map<Long, Allocation> byId = new HashMap<>();
    /** Device entries by address, the sign bit flipped so that natural order is unsigned order. */
    private final TreeMap<Long, Allocation> byAddress = new TreeMap<>();

    private long lastId;
    private long deviceBytes;

    public AllocationTable(String device, long epoch) {
        this.device = device;
        this.epoch = epoch;
    }

    /** What a span resolves to (L2). */
    public sealed interface Resolution {
        /** It lies in one allocation. */
        record Inside(Allocation allocation, long start, long end) implements Resolution {}

        /** A raw span that touches nothing recorded: memory from elsewhere (N5). */
        record Foreign(long address, long bytes) implements Resolution {}

        /** Of length zero: takes neither borrow nor declaration. */
        record Empty() implements Resolution {}

        /** Does not resolve. */
        record Bad(RefusalCode code, String why) implements Resolution {}
    }

    /** Looks a handle up; null with a reason in {@code codeOut} style is avoided by {@link #refusalOf}. */
    public @Nullable Allocation find(BufferHandle handle) {
        if (handle.epoch() != epoch || !handle.device().equals(device)) {
            return null;
        }
        return byId.get(handle.id());
    }

    /** Why a handle can't be named now, or null if it can (L8 without holders and marks). */
    @Nullable
    RefusalCode refusalOf(BufferHandle handle) {
        if (!handle.device().equals(device)) {
            return RefusalCode.UNKNOWN_BUFFER;
        }
        if (handle.epoch() != epoch) {
            return RefusalCode.STALE_BUFFER;
        }
        Allocation a = byId.get(handle.id());
        if (a == null) {
            return RefusalCode.UNKNOWN_BUFFER;
        }
        return switch (a.state) {
            case LIVE -> null;
            case RELEASE_PENDING, RELEASING -> RefusalCode.RELEASE_PENDING;
            case QUARANTINED -> RefusalCode.QUARANTINED;
        };
    }

    /** Resolves a tensor's span (L2, L10). */
    public Resolution resolve(Tensor tensor) {
        Extent extent = tensor.extent();
        if (tensor.location() instanceof BufferHandle handle) {
            RefusalCode code = refusalOf(handle);
            if (code != null) {
                return new Resolution.Bad(code, Refusals.handle(code, handle, byId.get(handle.id())));
            }
            Allocation a = byId.get(handle.id());
            if (a == null) {
                throw new IllegalStateException("a handle without refusal has no entry: " + handle);
            }
            if (!extent.valid() || !a.inRange(extent.start(), extent.length())) {
                return new Resolution.Bad(
                        RefusalCode.INVALID_ARGUMENT,
                        Refusals.outside(a, extent.start(), extent.length(), extent.valid()));
            }
            return extent.length() == 0
                    ? new Resolution.Empty()
                    : new Resolution.Inside(a, extent.start(), extent.start() + extent.length());
        }
        if (!extent.valid()) {
            return new Resolution.Bad(
                    RefusalCode.INVALID_ARGUMENT, "the tensor's shape, strides and offset overflow or are negative");
        }
        return resolveRaw(((RawAddress) tensor.location()).value(), extent);
    }

    private Resolution resolveRaw(long base, Extent extent) {
        long length = extent.length();
        // Unsigned arithmetic on the address: a negative start (strides) may step below the base, never below zero.
        long from = base + extent.start();
        boolean below = extent.start() < 0 && Long.compareUnsigned(from, base) > 0;
        boolean above = extent.start() >= 0 && Long.compareUnsigned(from, base) < 0;
        // the last byte, not the end: a span may reach up to the very top of the address space
        boolean wraps = length > 0 && Long.compareUnsigned(from + (length - 1), from) < 0;
        if (below || above || wraps) {
            return new Resolution.Bad(
                    RefusalCode.INVALID_ARGUMENT,
                    "the span of " + length + " bytes at 0x" + Long.toHexString(from) + " wraps the address space");
        }
        if (length == 0) {
            return new Resolution.Empty();
        }
        Allocation touched = overlapping(from, length);
        if (touched == null) {
            return new Resolution.Foreign(from, length);
        }
        long start = from - touched.address;
        if (Long.compareUnsigned(from, touched.address) < 0 || !touched.inRange(start, length)) {
            return new Resolution.Bad(
                    RefusalCode.INVALID_ARGUMENT,
                    "the span of " + length + " bytes at 0x" + Long.toHexString(from) + " overlaps "
                            + touched.describe() + " without lying in it");
        }
        RefusalCode code = refusalOf(touched.handle);
        if (code != null) {
            return new Resolution.Bad(code, Refusals.handle(code, touched.handle, touched));
        }
        return new Resolution.Inside(touched, start, start + length);
    }

    /** The first device entry that overlaps the bytes, which do not wrap; null if none. */
    @Nullable
    Allocation overlapping(long address, long length) {
        Map.Entry<Long, Allocation> at = byAddress.floorEntry(flip(address + (length - 1)));
        if (at == null) {
            return null;
        }
        Allocation a = at.getValue();
        // It begins at or before our last byte; it overlaps unless it ends before our first. Remaining extent, no sum.
        long ahead = address - a.address;
        if (Long.compareUnsigned(address, a.address) <= 0 || Long.compareUnsigned(ahead, a.bytes) < 0) {
            return a;
        }
        return null;
    }

    /** Records device memory; null if it overlaps a recorded entry or wraps: the driver has failed (L11). */
    public @Nullable Allocation add(String name, long address, long bytes) {
        if (Long.compareUnsigned(address + (bytes - 1), address) < 0 || overlapping(address, bytes) != null) {
            return null;
        }
        Allocation a = new Allocation(nextHandle(), name, address, bytes, null);
        byId.put(a.handle.id(), a);
        byAddress.put(flip(address), a);
        deviceBytes += bytes;
        return a;
    }

    /** Records a host buffer (B1). */
    public Allocation adopt(String name, HostMemory memory) {
        Allocation a = new Allocation(nextHandle(), name, 0, memory.size(), memory);
        byId.put(a.handle.id(), a);
        return a;
    }

    /** Forgets an entry that the platform has given back. */
    public void remove(Allocation a) {
        byId.remove(a.handle.id());
        if (a.host == null) {
            byAddress.remove(flip(a.address));
            deviceBytes -= a.bytes;
        }
    }

    /** All entries in order of allocation. */
    List<Allocation> inOrder() {
        List<Allocation> list = new ArrayList<>(byId.values());
        list.sort(Comparator.comparingLong(a -> a.handle.id()));
        return list;
    }

    /** Number of entries, host buffers included. */
    public int size() {
        return byId.size();
    }

    int deviceEntries() {
        return byAddress.size();
    }

    long deviceBytes() {
        return deviceBytes;
    }

    private BufferHandle nextHandle() {
        return new BufferHandle(device, epoch, ++lastId);
    }

    private static long flip(long address) {
        return address ^ Long.MIN_VALUE;
    }
}
