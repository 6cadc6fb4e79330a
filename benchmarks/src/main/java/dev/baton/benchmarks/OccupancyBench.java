package dev.baton.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Wall time of chains on a simulated device, against one preparation and kernels back to back. */
final class OccupancyBench implements Bench {
    private static final int RUNS = 1000;
    private static final int SHORT_RUNS = 20;
    private static final int WARM_UP = 3000;
    private static final long US = 1000;
    private static final long MS = 1000 * US;

    private record Goal(ChainOccupancy.Case chain, double ratio) {}

    private final Map<String, Goal> cases = new LinkedHashMap<>();

    OccupancyBench() {
        chain("chain-200-half", MS / 2);
        chain("chain-200-full", MS);
        add("occupancy-50us", 4, true, 50 * US, 1.10);
        add("occupancy-200us", 4, true, 200 * US, 1.05);
        add("occupancy-1ms", 2, true, MS, 1.02);
        add("occupancy-10ms", 2, true, 10 * MS, 1.003);
        add("occupancy-prepare-only", 2, false, MS, 1.05);
    }

    /** A short chain, as people try it first: kernels of 1 ms, preparations of half of that or as long. */
    private void chain(String name, long prepareNanos) {
        cases.put(name, new Goal(new ChainOccupancy.Case(name, 4, true, 200, MS, prepareNanos), 1.05));
    }

    private void add(String name, int depth, boolean joined, long kernelNanos, double goal) {
        cases.put(
                name, new Goal(new ChainOccupancy.Case(name, depth, joined, RUNS, kernelNanos, kernelNanos / 2), goal));
    }

    @Override
    public List<String> names() {
        return new ArrayList<>(cases.keySet());
    }

    @Override
    public List<Line> run(List<String> wanted, Effort effort) throws Exception {
        List<Line> lines = new ArrayList<>();
        ChainOccupancy.measure(new ChainOccupancy.Case(
                "warm-up", 4, true, effort == Effort.SHORT ? SHORT_RUNS : WARM_UP, 20 * US, 10 * US));
        for (String name : wanted) {
            Goal goal = java.util.Objects.requireNonNull(cases.get(name));
            ChainOccupancy.Case c = goal.chain();
            int runs = effort == Effort.SHORT ? SHORT_RUNS : c.runs();
            // the long one has little noise, and takes ten seconds
            int rounds = effort == Effort.SHORT || c.kernelNanos() > MS ? 1 : 3;
            ChainOccupancy.Case one =
                    new ChainOccupancy.Case(name, c.depth(), c.joined(), runs, c.kernelNanos(), c.prepareNanos());
            double[] walls = new double[rounds];
            for (int r = 0; r < rounds; r++) {
                walls[r] = ChainOccupancy.measure(one);
            }
            Arrays.sort(walls);
            lines.add(new Line(name, walls[rounds / 2] / 1e6, "ms", one.idealNanos() / 1e6, goal.ratio(), true));
        }
        return lines;
    }
}
