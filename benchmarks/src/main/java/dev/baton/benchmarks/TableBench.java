package dev.baton.benchmarks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A run's facts in the plain ledger at so many live allocations: borrow of three tensors, declaration, a read that is refused for it,
 * discharge; against bare look-ups and updates of a map of that size.
 */
final class TableBench implements Bench {
    private static final int[] SIZES = {1_000, 100_000, 1_000_000};
    private static final int KEYS = 1 << 14;

    @Override
    public List<String> names() {
        List<String> names = new ArrayList<>();
        for (String kind : List.of("handle", "raw")) {
            for (int size : SIZES) {
                names.add("table-" + kind + "-" + size);
            }
        }
        return names;
    }

    @Override
    public List<Line> run(List<String> wanted, Effort effort) throws Exception {
        List<Line> lines = new ArrayList<>();
        try (Host host = new Host()) {
            for (String name : wanted) {
                boolean raw = name.contains("-raw-");
                int size = Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
                LedgerRig rig = new LedgerRig(size, raw, host.system().ignoreRef());
                Timing.Body bare = raw ? lookups(tree(size), size) : updates(size);
                double[] nanos = Timing.nanosPer(effort, rig::cycles, bare);
                lines.add(new Line(name, nanos[0], "ns", nanos[1], raw ? 1.5 : 3, true));
            }
        }
        return lines;
    }

    private static long[] keys(int size) {
        SplittableRandom random = new SplittableRandom(size + 1L);
        long[] keys = new long[KEYS];
        for (int i = 0; i < KEYS; i++) {
            keys[i] = random.nextInt(size);
        }
        return keys;
    }

    /** Three look-ups and updates to borrow, one to declare, one to ask, four to discharge. */
    private static Timing.Body updates(int size) {
        Map<Long, long[]> map = new HashMap<>();
        for (long i = 0; i < size; i++) {
            map.put(i, new long[2]);
        }
        long[] keys = keys(size);
        return times -> {
            long sum = 0;
            for (int i = 0; i < times; i++) {
                long a = keys[(3 * i) & (KEYS - 1)];
                long b = keys[(3 * i + 1) & (KEYS - 1)];
                long c = keys[(3 * i + 2) & (KEYS - 1)];
                at(map, a)[0]++;
                at(map, b)[0]++;
                at(map, c)[0]++;
                at(map, c)[1]++;
                sum += at(map, c)[1];
                at(map, a)[0]--;
                at(map, b)[0]--;
                at(map, c)[0]--;
                at(map, c)[1]--;
            }
            return sum;
        };
    }

    private static long[] at(Map<Long, long[]> map, long key) {
        return java.util.Objects.requireNonNull(map.get(key));
    }

    private static TreeMap<Long, long[]> tree(int size) {
        TreeMap<Long, long[]> map = new TreeMap<>();
        for (long i = 0; i < size; i++) {
            map.put(LedgerRig.FIRST + i * LedgerRig.BYTES, new long[2]);
        }
        return map;
    }

    private static Timing.Body lookups(TreeMap<Long, long[]> map, int size) {
        long[] keys = keys(size);
        return times -> {
            long sum = 0;
            for (int i = 0; i < times; i++) {
                for (int k = 0; k < 3; k++) {
                    long address = LedgerRig.FIRST + keys[(3 * i + k) & (KEYS - 1)] * LedgerRig.BYTES;
                    sum += java.util.Objects.requireNonNull(map.floorEntry(address))
                            .getValue()[0];
                }
            }
            return sum;
        };
    }
}
