package dev.baton.build;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The tensor writes of one attempt, private to it until they are applied (B10). Byte-accurate, so that tensors that alias one
 * another see each other's writes; threads of one build may write at the same time.
 */
final class Overlay {
    /** Where a byte lies: a space (allocation, foreign memory, or one argument's staging) and an offset in it. */
    record Place(long space, long offset) implements Comparable<Place> {
        @Override
        public int compareTo(Place o) {
            int c = Long.compare(space, o.space);
            return c != 0 ? c : Long.compareUnsigned(offset, o.offset);
        }
    }

    private final ConcurrentSkipListMap<Place, Byte> bytes = new ConcurrentSkipListMap<>();
    private volatile boolean used;

    boolean unused() {
        return !used;
    }

    void put(long space, long offset, long bits, int size) {
        used = true;
        for (int i = 0; i < size; i++) {
            bytes.put(new Place(space, offset + i), (byte) (bits >>> (8 * i)));
        }
    }

    /** The element's bits with the written bytes laid over those beneath. */
    long over(long space, long offset, long beneath, int size) {
        long bits = beneath;
        for (int i = 0; i < size; i++) {
            Byte b = bytes.get(new Place(space, offset + i));
            if (b != null) {
                bits = (bits & ~(0xFFL << (8 * i))) | ((b & 0xFFL) << (8 * i));
            }
        }
        return bits;
    }

    /** Written bytes of a space as runs of neighbours. */
    List<Run> runs(long space) {
        List<Run> runs = new ArrayList<>();
        Run last = null;
        for (Map.Entry<Place, Byte> e : bytes.subMap(new Place(space, 0), true, new Place(space, -1L), true)
                .entrySet()) {
            if (last == null || e.getKey().offset() != last.offset + last.bytes.size()) {
                last = new Run(e.getKey().offset(), new ArrayList<>());
                runs.add(last);
            }
            last.bytes.add(e.getValue());
        }
        return runs;
    }

    /** Neighbouring written bytes. */
    record Run(long offset, List<Byte> bytes) {}
}
