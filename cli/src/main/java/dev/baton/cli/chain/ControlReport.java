package dev.baton.cli.chain;

import dev.baton.protocol.DeviceEvent;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** What a chain with control flow came to, as people read it. */
public final class ControlReport {
    private final Vector input;
    private final Vector result;
    private final List<Double> residuals;
    private final int steps;
    private final double tolerance;
    private final TimeLine timeLine;

    /**
     * Collects it.
     *
     * @param residuals after each run, in order
     * @param steps runs that computed; the others only handed the result on
     */
    ControlReport(
            Vector input,
            Vector result,
            List<Double> residuals,
            int steps,
            double tolerance,
            List<DeviceEvent> events) {
        this.input = input;
        this.result = result;
        this.residuals = List.copyOf(residuals);
        this.steps = steps;
        this.tolerance = tolerance;
        this.timeLine = new TimeLine(events);
    }

    /** The square roots. */
    public Vector result() {
        return result;
    }

    /** Runs that computed a step; the others found that nothing was left to do. */
    public int steps() {
        return steps;
    }

    /** Largest relative residual after each run. */
    public List<Double> residuals() {
        return residuals;
    }

    /** Runs that waited for a value which the device had not computed yet. */
    public int waited() {
        return timeLine.waited();
    }

    /** Prints it. */
    public void print(PrintWriter out) {
        out.println("  a = " + input.preview());
        out.println("  square roots = " + result.preview());
        out.println();
        for (int i = 0; i < residuals.size(); i++) {
            out.printf(
                    Locale.ROOT,
                    "  %-4s residual %.3g   %s%n",
                    ControlChain.run(i),
                    residuals.get(i),
                    i < steps ? "one more step" : "small enough: hands the result on");
        }
        out.println();
        timeLine.print(out);
        double last = residuals.get(residuals.size() - 1);
        out.printf(
                Locale.ROOT,
                "%d of %d runs computed a step; %d waited by themselves for the residual of the run ahead%n",
                steps,
                residuals.size(),
                waited());
        if (!(last <= tolerance)) {
            out.printf(
                    Locale.ROOT,
                    "The residual %.3g is not within %.3g yet; --max-steps allows more steps%n",
                    last,
                    tolerance);
        }
    }
}
