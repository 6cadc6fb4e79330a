package dev.baton.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** All benchmarks, in the order in which they are shown. */
public final class Benches {
    private final List<Bench> all = List.of(
            new TableBench(),
            new RunBench(),
            new OccupancyBench(),
            new ReadBench(),
            new DevicesBench(),
            new CopyBench());

    /** Names of all lines. */
    public List<String> names() {
        return all.stream().flatMap(b -> b.names().stream()).toList();
    }

    /**
     * Measures those that are wanted, or all if none is named.
     *
     * @throws IllegalArgumentException for a name that is none
     */
    public void run(List<String> wanted, Bench.Effort effort, Consumer<Bench.Line> out) throws Exception {
        for (String name : wanted) {
            if (!names().contains(name)) {
                throw new IllegalArgumentException(
                        "no benchmark is named '" + name + "'; there are " + String.join(", ", names()));
            }
        }
        for (Bench bench : all) {
            List<String> mine = new ArrayList<>(bench.names());
            if (!wanted.isEmpty()) {
                mine.retainAll(wanted);
            }
            if (!mine.isEmpty()) {
                bench.run(mine, effort).forEach(out);
            }
        }
    }
}
