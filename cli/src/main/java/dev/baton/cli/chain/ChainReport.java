package dev.baton.cli.chain;

import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunPhase;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a chain came to, as people read it. */
public final class ChainReport {
    private static final int WIDTH = 72;
    /** Rows of the time line at most; more runs are summed up. */
    private static final int ROWS = 16;

    private final ChainOptions options;
    private final List<Vector> values;
    private final Reply tooEarly;
    private final Reply later;
    private final Map<String, Row> rows = new LinkedHashMap<>();

    /** When one run came to its phases, in nanoseconds; zero if never. */
    private static final class Row {
        long prepareFrom;
        long prepared;
        long launched;
        long start;
        long executed;
        long retired;
    }

    ChainReport(ChainOptions options, List<Vector> values, Reply tooEarly, Reply later, List<DeviceEvent> events) {
        this.options = options;
        this.values = values;
        this.tooEarly = tooEarly;
        this.later = later;
        for (DeviceEvent e : events) {
            if (e instanceof DeviceEvent.Phase p) {
                note(rows.computeIfAbsent(p.name(), n -> new Row()), p.phase(), p.timeNanos());
            }
        }
        long lastEnd = 0;
        for (Row r : rows.values()) {
            r.start = Math.max(r.launched, lastEnd);
            lastEnd = r.executed;
        }
    }

    private static void note(Row row, RunPhase phase, long at) {
        switch (phase) {
            case PREPARING -> row.prepareFrom = at;
            case PREPARED -> row.prepared = at;
            case LAUNCHED -> row.launched = at;
            case EXECUTED -> row.executed = at;
            case RETIRED -> row.retired = at;
            default -> {
                // not drawn
            }
        }
    }

    /** The last value of the chain. */
    public Vector result() {
        return values.get(values.size() - 1);
    }

    /** Share of the time from the first preparation to the last end in which the device executed. */
    public double busy() {
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

    /** Prints it. */
    public void print(PrintWriter out) {
        for (int i = 0; i < values.size(); i++) {
            boolean last = i == values.size() - 1;
            String name = last ? Chain.buffer(options.runs()) : Chain.buffer(i);
            out.println("  " + name + " = " + values.get(i).preview());
        }
        out.println();
        timeLine(out);
        out.println();
        frees(out);
    }

    private void timeLine(PrintWriter out) {
        long from = from();
        long span = Math.max(1, span());
        out.printf(Locale.ROOT, "Time line, %.1f ms   p prepare   . waits   # executes%n", span / 1e6);
        int n = 0;
        for (Map.Entry<String, Row> e : rows.entrySet()) {
            if (n++ == ROWS) {
                out.println("  … and " + (rows.size() - ROWS) + " more runs");
                break;
            }
            out.println(
                    "  " + String.format(Locale.ROOT, "%-4s", e.getKey()) + "|" + bar(e.getValue(), from, span) + "|");
        }
        double ideal = options.runs()
                * (double) options.kernelNanos()
                / Math.max(1, options.prepareNanos() + options.runs() * (double) options.kernelNanos());
        out.printf(
                Locale.ROOT,
                "Device busy %.1f %% of the time; %.1f %% would be ideal (one preparation, then kernels back to back)%n",
                100 * busy(),
                100 * ideal);
    }

    private static String bar(Row r, long from, long span) {
        char[] bar = new char[WIDTH];
        java.util.Arrays.fill(bar, ' ');
        draw(bar, r.prepareFrom - from, r.executed - from, span, '.');
        draw(bar, r.prepareFrom - from, r.prepared - from, span, 'p');
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

    private void frees(PrintWriter out) {
        if (tooEarly instanceof Reply.Refused r) {
            out.println("Free of y while runs needed it: refused " + r.refusal().code());
            out.println("  " + r.refusal().message());
        } else {
            out.println("Free of y while runs needed it: " + word(tooEarly));
        }
        out.println("Free of y after they had ended: " + word(later));
    }

    private static String word(Reply r) {
        return r instanceof Reply.Refused f
                ? "refused " + f.refusal().code() + ": " + f.refusal().message()
                : r.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }
}
