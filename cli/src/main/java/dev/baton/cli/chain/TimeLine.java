package dev.baton.cli.chain;

import dev.baton.protocol.DeviceEvent;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** When the runs of a chain were prepared, waited and executed, as a picture of characters. */
final class TimeLine {
    private static final int WIDTH = 72;
    /** Rows at most; more runs are summed up. */
    private static final int ROWS = 16;

    private final Map<String, Row> rows = new LinkedHashMap<>();

    /** When one run came to its phases, in nanoseconds; zero if never. */
    private static final class Row {
        long prepareFrom;
        /** It needed a value that was not produced yet. */
        long deferred;
        /** Its last preparation. */
        long prepareAgain;

        long prepared;
        long launched;
        long start;
        long executed;
    }

    TimeLine(List<DeviceEvent> events) {
        for (DeviceEvent e : events) {
            if (e instanceof DeviceEvent.Phase p) {
                note(rows.computeIfAbsent(p.name(), n -> new Row()), p);
            }
        }
        long lastEnd = 0;
        for (Row r : rows.values()) {
            r.start = Math.max(r.launched, lastEnd);
            lastEnd = r.executed;
        }
    }

    private static void note(Row row, DeviceEvent.Phase p) {
        long at = p.timeNanos();
        switch (p.phase()) {
            case PREPARING -> {
                row.prepareFrom = row.prepareFrom == 0 ? at : row.prepareFrom;
                row.prepareAgain = at;
            }
            case DEFERRED -> row.deferred = at;
            case PREPARED -> row.prepared = at;
            case LAUNCHED -> row.launched = at;
            case EXECUTED -> row.executed = at;
            default -> {
                // not drawn
            }
        }
    }

    /** Runs that waited for a value. */
    int waited() {
        return (int) rows.values().stream().filter(r -> r.deferred != 0).count();
    }

    /** Share of the time from the first preparation to the last end in which the device executed. */
    double busy() {
        long executing = 0;
        for (Row r : rows.values()) {
            executing += r.executed - r.start;
        }
        return span() == 0 ? 0 : (double) executing / span();
    }

    private long from() {
        return rows.values().stream().mapToLong(r -> r.prepareFrom).min().orElse(0);
    }

    private long span() {
        return rows.values().stream().mapToLong(r -> r.executed).max().orElse(0) - from();
    }

    void print(PrintWriter out) {
        long from = from();
        long span = Math.max(1, span());
        String waits = waited() == 0 ? "" : "   w waits for a value";
        out.printf(Locale.ROOT, "Time line, %.1f ms   p prepare   . waits%s   # executes%n", span / 1e6, waits);
        int n = 0;
        for (Map.Entry<String, Row> e : rows.entrySet()) {
            if (n++ == ROWS) {
                out.println("  … and " + (rows.size() - ROWS) + " more runs");
                break;
            }
            out.println(
                    "  " + String.format(Locale.ROOT, "%-4s", e.getKey()) + "|" + bar(e.getValue(), from, span) + "|");
        }
    }

    private static String bar(Row r, long from, long span) {
        char[] bar = new char[WIDTH];
        Arrays.fill(bar, ' ');
        draw(bar, r.prepareFrom - from, r.executed - from, span, '.');
        draw(bar, r.prepareAgain - from, r.prepared - from, span, 'p');
        if (r.deferred != 0) {
            draw(bar, r.prepareFrom - from, r.deferred - from, span, 'p');
            draw(bar, r.deferred - from, r.prepareAgain - from, span, 'w');
        }
        draw(bar, r.start - from, r.executed - from, span, '#');
        return new String(bar);
    }

    private static void draw(char[] bar, long a, long b, long span, char c) {
        int start = (int) Math.max(0, Math.min(WIDTH - 1, a * WIDTH / span));
        int end = (int) Math.max(start + 1, Math.min(WIDTH, b * WIDTH / span));
        for (int i = start; i < end; i++) {
            bar[i] = c;
        }
    }
}
