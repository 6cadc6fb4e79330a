package dev.baton.cli.soak;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What is alive in this JVM after a full garbage collection: counted by the JVM itself, class by class, so that no table of
 * the core can be forgotten.
 *
 * @param objects instances of each class of Baton and of Pekko
 * @param threads live threads
 * @param heapBytes heap in use
 */
record LiveCounts(Map<String, Long> objects, int threads, long heapBytes) {
    /** More instances of one class than before, beyond which something has leaked. */
    static final long MAX_GROWTH_OBJECTS = 64;
    /** Pools of the host's dispatchers may have started a few more threads. */
    static final int MAX_GROWTH_THREADS = 8;
    /** Code and caches of the JVM itself. */
    static final long MAX_GROWTH_HEAP_BYTES = 16L << 20;

    /** What a person reads, and the classes that are counted for it. */
    private static final Map<String, List<String>> TABLES = tables();

    private static Map<String, List<String>> tables() {
        Map<String, List<String>> t = new LinkedHashMap<>();
        t.put("runs", List.of("dev.baton.ledger.LiveRun", "dev.baton.lane.LaneRun"));
        t.put("allocations", List.of("dev.baton.ledger.Allocation"));
        t.put("void intervals", List.of("dev.baton.ledger.VoidMap$Interval"));
        t.put("marks", List.of("dev.baton.ledger.MarkMap$Marked"));
        t.put(
                "pending tables",
                List.of(
                        "dev.baton.supervision.Owed$Entry",
                        "dev.baton.ledger.CopyOp",
                        "dev.baton.ledger.LedgerState$PendingCall$ForAllocate",
                        "dev.baton.ledger.LedgerState$PendingCall$ForFree",
                        "dev.baton.ledger.LedgerState$PendingCall$ForCopy"));
        for (List<String> names : t.values()) {
            for (String name : names) {
                try {
                    Class.forName(name, false, LiveCounts.class.getClassLoader());
                } catch (ClassNotFoundException e) {
                    throw new IllegalStateException("the soak counts a class that does not exist: " + name, e);
                }
            }
        }
        return t;
    }

    /** Collects garbage and counts. */
    static LiveCounts take() {
        String histogram;
        try {
            histogram = (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new IllegalStateException("this JVM can't count its objects", e);
        }
        Map<String, Long> objects = new TreeMap<>();
        histogram.lines().forEach(line -> {
            String[] columns = line.trim().split("\\s+");
            if (columns.length >= 4
                    && (columns[3].startsWith("dev.baton.") || columns[3].startsWith("org.apache.pekko."))) {
                objects.merge(columns[3], Long.parseLong(columns[1]), Long::sum);
            }
        });
        return new LiveCounts(
                objects,
                ManagementFactory.getThreadMXBean().getThreadCount(),
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }

    /** The core's tables by the names that people know. */
    Map<String, Long> byTable() {
        Map<String, Long> counts = new LinkedHashMap<>();
        TABLES.forEach((table, names) -> counts.put(
                table,
                names.stream().mapToLong(n -> objects.getOrDefault(n, 0L)).sum()));
        return counts;
    }

    long all() {
        return objects.values().stream().mapToLong(Long::longValue).sum();
    }

    /** One sentence for each thing that has grown beyond its bound since; empty if nothing has. */
    List<String> grownBeyondBounds(LiveCounts before) {
        List<String> grown = new java.util.ArrayList<>();
        objects.forEach((name, count) -> {
            long was = before.objects.getOrDefault(name, 0L);
            if (count - was > MAX_GROWTH_OBJECTS) {
                grown.add("objects of " + name + " have grown from " + was + " to " + count + " (at most "
                        + MAX_GROWTH_OBJECTS + " more are allowed)");
            }
        });
        if (threads - before.threads > MAX_GROWTH_THREADS) {
            grown.add("threads have grown from " + before.threads + " to " + threads + " (at most " + MAX_GROWTH_THREADS
                    + " more are allowed)");
        }
        if (heapBytes - before.heapBytes > MAX_GROWTH_HEAP_BYTES) {
            grown.add("the heap has grown from " + (before.heapBytes >> 10) + " KiB to " + (heapBytes >> 10)
                    + " KiB (at most " + (MAX_GROWTH_HEAP_BYTES >> 10) + " KiB more are allowed)");
        }
        return grown;
    }
}
