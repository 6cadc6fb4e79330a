package dev.baton.cli.soak;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a soak found. */
public final class SoakReport {
    private final LiveCounts before;
    private final LiveCounts after;
    private final Map<String, Long> ends;
    private final long[] retained;
    private final int[] subscribers;
    private final long resets;
    private final double seconds;

    SoakReport(
            LiveCounts before,
            LiveCounts after,
            Map<String, Long> ends,
            long[] retained,
            int[] subscribers,
            long resets,
            double seconds) {
        this.before = before;
        this.after = after;
        this.ends = ends;
        this.retained = retained;
        this.subscribers = subscribers;
        this.resets = resets;
        this.seconds = seconds;
    }

    /** One sentence for each thing that has grown beyond its bound; empty if nothing has. */
    public List<String> grown() {
        List<String> grown = new java.util.ArrayList<>(after.grownBeyondBounds(before));
        if (retained[1] > retained[0]) {
            grown.add("retained runs have grown from " + retained[0] + " to " + retained[1]);
        }
        if (subscribers[1] > subscribers[0]) {
            grown.add("subscribers have grown from " + subscribers[0] + " to " + subscribers[1]);
        }
        return grown;
    }

    /** For a person. */
    public void print(PrintWriter out) {
        out.printf(Locale.ROOT, "%-24s %12s %12s%n", "alive", "before", "after");
        Map<String, Long> then = before.byTable();
        after.byTable().forEach((table, now) -> line(out, table, then.getOrDefault(table, 0L), now));
        line(out, "retained runs", retained[0], retained[1]);
        line(out, "subscribers", subscribers[0], subscribers[1]);
        line(out, "threads", before.threads(), after.threads());
        line(out, "objects, all classes", before.all(), after.all());
        line(out, "heap after GC, KiB", before.heapBytes() >> 10, after.heapBytes() >> 10);
        long runs = ends.values().stream().mapToLong(Long::longValue).sum();
        ends.forEach((end, n) -> out.printf(Locale.ROOT, "%-24s %25d%n", end, n));
        out.printf(
                Locale.ROOT,
                "%d runs in %.1f s: %.0f runs/s; %d resets%n",
                runs,
                seconds,
                runs / Math.max(seconds, 1e-9),
                resets);
    }

    private static void line(PrintWriter out, String what, long then, long now) {
        out.printf(Locale.ROOT, "%-24s %12d %12d%n", what, then, now);
    }
}
