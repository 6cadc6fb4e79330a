package dev.baton.sim;

import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.OutOfDeviceMemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The device's memory. */
final class SimMemory {
    private final SimCore core;
    private final TreeMap<Long, Allocation> table = new TreeMap<>();
    private AddressSpace space;

    SimMemory(SimCore core) {
        this.core = core;
        this.space = core.settings.space(0);
    }

    /** Allocates; memory that was used before holds the pattern of freed memory, other memory zeros. */
    Allocation allocate(Allocation.Kind kind, String label, long bytes, int gen) throws DriverException {
        if (bytes < 1) {
            throw new DriverException("allocate " + label + ": bytes=" + bytes + " must be positive");
        }
        core.gate.enter();
        long address;
        long used;
        long largest;
        try {
            core.check(gen);
            used = space.usedUpTo();
            address = space.take(bytes);
            largest = address < 0 ? space.largest() : 0;
        } finally {
            core.gate.leave();
        }
        if (address < 0) {
            throw new OutOfDeviceMemoryException(
                    "allocate " + label + ": " + bytes + " bytes do not fit; the largest free range has " + largest);
        }
        HostMemory memory;
        try {
            memory = HostMemory.allocate(bytes);
        } catch (OutOfMemoryError e) {
            core.gate.run(() -> {
                if (gen == core.generation) {
                    space.give(address);
                }
            });
            throw new OutOfDeviceMemoryException(
                    "allocate " + label + ": the host has no " + bytes + " bytes for it: " + e.getMessage());
        }
        if (used > address) {
            Patterns.bytes(memory, 0, Math.min(bytes, used - address), Patterns.FREED);
        }
        Allocation a = new Allocation(kind, address, bytes, memory);
        core.gate.enter();
        try {
            core.check(gen);
            table.put(address, a);
            core.tell(o -> o.allocated(label, address, bytes));
        } finally {
            core.gate.leave();
        }
        return a;
    }

    /** Frees a range by its address. */
    void free(Allocation.Kind kind, String label, long address, int gen) throws DriverException {
        Allocation a;
        core.gate.enter();
        try {
            core.check(gen);
            a = table.get(address);
            if (a == null || a.kind != kind) {
                String sentence = "free " + label + ": " + Operand.hex(address) + " is not allocated";
                core.watch.breach(sentence);
                throw new DriverException(sentence);
            }
            if (kind == Allocation.Kind.CLIENT) {
                core.watch.freeing(label, a);
            }
            remove(a);
        } finally {
            core.gate.leave();
        }
        overwrite(List.of(a));
    }

    /** A free that failed; inside the gate. */
    void quarantine(long address) {
        Allocation a = table.get(address);
        if (a != null) {
            core.watch.freeing("of memory", a);
            a.quarantined = true;
        }
    }

    /** Gives scratch memory back. */
    void release(SimRun run) {
        List<Allocation> gone = core.gate.get(() -> {
            List<Allocation> list = new ArrayList<>();
            for (Allocation a : run.scratch) {
                if (!a.freed) {
                    remove(a);
                    list.add(a);
                }
            }
            run.scratch.clear();
            return list;
        });
        overwrite(gone);
    }

    private void remove(Allocation a) {
        a.freed = true;
        table.remove(a.address);
        space.give(a.address);
        core.tell(o -> o.freed(a.address, a.bytes));
    }

    /** Frees everything; inside the gate, {@link #overwrite} follows outside. */
    List<Allocation> drop() {
        List<Allocation> all = new ArrayList<>(table.values());
        for (Allocation a : all) {
            a.freed = true;
        }
        table.clear();
        space = core.settings.space(space.usedUpTo());
        return all;
    }

    static void overwrite(List<Allocation> freed) {
        for (Allocation a : freed) {
            Patterns.bytes(a.memory, 0, a.bytes, Patterns.FREED);
        }
    }

    /** The allocation that covers the bytes, or null; also null when the generation is over. */
    @Nullable
    Allocation find(long address, long bytes, int gen) {
        return core.gate.get(() -> gen == core.generation ? covering(address, bytes) : null);
    }

    /** Inside the gate. */
    @Nullable
    Allocation covering(long address, long bytes) {
        Map.Entry<Long, Allocation> e = table.floorEntry(address);
        return e != null && e.getValue().covers(address, bytes) ? e.getValue() : null;
    }

    /** The same as {@link #covering} for a device call, where anything else is a breach; inside the gate. */
    Allocation demand(String what, long address, long bytes, int gen) throws DriverException {
        core.check(gen);
        Allocation a = bytes < 0 ? null : covering(address, bytes);
        if (a == null) {
            String sentence = what + ": " + bytes + " bytes at " + Operand.hex(address) + " are not allocated";
            core.watch.breach(sentence);
            throw new DriverException(sentence);
        }
        if (a.quarantined) {
            core.watch.breach(what + " at " + Operand.hex(address) + " uses memory whose free has failed (L11)");
        }
        return a;
    }

    long bytes(Allocation.Kind kind) {
        return core.gate.get(() -> table.values().stream()
                .filter(a -> a.kind == kind)
                .mapToLong(a -> a.bytes)
                .sum());
    }

    int count(Allocation.Kind kind) {
        return core.gate.get(
                () -> (int) table.values().stream().filter(a -> a.kind == kind).count());
    }
}
