package dev.baton.cli.chain;

import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.Reply;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** What a chain came to, as people read it. */
public final class ChainReport {
    private final ChainOptions options;
    private final List<Vector> values;
    private final Reply tooEarly;
    private final Reply later;
    private final TimeLine timeLine;

    ChainReport(ChainOptions options, List<Vector> values, Reply tooEarly, Reply later, List<DeviceEvent> events) {
        this.options = options;
        this.values = values;
        this.tooEarly = tooEarly;
        this.later = later;
        this.timeLine = new TimeLine(events);
    }

    /** The last value of the chain. */
    public Vector result() {
        return values.get(values.size() - 1);
    }

    /** Share of the time from the first preparation to the last end in which the device executed. */
    public double busy() {
        return timeLine.busy();
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
        timeLine.print(out);
        double ideal = options.runs()
                * (double) options.kernelNanos()
                / Math.max(1, options.prepareNanos() + options.runs() * (double) options.kernelNanos());
        out.printf(
                Locale.ROOT,
                "Device busy %.1f %% of the time; %.1f %% would be ideal (one preparation, then kernels back to back)%n",
                100 * busy(),
                100 * ideal);
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
