package dev.baton.benchmarks;

import java.util.List;

/** An element read in a build, of a value that needs no waiting, against a dependent read of the same memory. */
final class ReadBench implements Bench {
    private static final int ELEMENTS = 1 << 22;
    private static final int READS = 1 << 20;
    private static final int ROUNDS = 15;

    @Override
    public List<String> names() {
        return List.of("build-read");
    }

    @Override
    public List<Line> run(List<String> wanted, Effort effort) throws Exception {
        boolean brief = effort == Effort.SHORT;
        ElementRead.Result r = ElementRead.measure(new ElementRead.Case(
                "build-read", brief ? 1 << 10 : ELEMENTS, false, brief ? 5000 : READS, brief ? 3 : ROUNDS));
        return List.of(new Line("build-read", r.value(), "ns", r.baseline(), 3, true));
    }
}
