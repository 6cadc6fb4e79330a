package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.chain.ControlChain;
import dev.baton.cli.chain.ControlOptions;
import dev.baton.cli.chain.ControlReport;
import dev.baton.cli.chain.Vector;
import dev.baton.protocol.DataType;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A chain whose graph depends on what the device computed, on real threads, against the same arithmetic in plain Java. */
class ControlChainTest {
    private static final double[] A = {2, 9, 0.25, 1e4};

    /** The same in plain Java: how many steps, what comes out, and the residual after each run. */
    private record Plain(List<Double> residuals, double[] x, int steps) {
        static Plain of(DataType type, double tolerance, int runs) {
            double[] x = A.clone();
            double residual = Double.POSITIVE_INFINITY;
            List<Double> residuals = new ArrayList<>();
            int steps = 0;
            for (int k = 0; k < runs; k++) {
                if (residual > tolerance) {
                    residual = 0;
                    for (int i = 0; i < x.length; i++) {
                        double next = (x[i] + A[i] / x[i]) / 2;
                        x[i] = type == DataType.F32 ? (float) next : next;
                        residual = Math.max(residual, Math.abs(x[i] * x[i] - A[i]) / A[i]);
                    }
                    steps++;
                }
                residuals.add(residual);
            }
            return new Plain(residuals, x, steps);
        }
    }

    private static void check(DataType type, double tolerance, int runs, int depth) throws Exception {
        Plain plain = Plain.of(type, tolerance, runs);
        ControlReport report = new ControlChain(new ControlOptions(runs, depth, tolerance, 300_000, 100_000, 1 << 20))
                .run(Vector.of(type, A.length, i -> A[i]));
        assertThat(report.residuals()).isEqualTo(plain.residuals());
        assertThat(report.steps()).isEqualTo(plain.steps()).isBetween(1, runs);
        for (int i = 0; i < A.length; i++) {
            assertThat(report.result().get(i)).isEqualTo(plain.x()[i]);
        }
    }

    @Test
    void theDeviceDecidesHowManyStepsAreTaken() throws Exception {
        check(DataType.F64, 1e-9, 16, 2);
        check(DataType.F64, 1e-2, 16, 4);
        check(DataType.F32, 1e-5, 14, 3);
        check(DataType.F64, 1e-9, 12, 1);
    }

    @Test
    void runsWaitByThemselvesAndTheTimeLineShowsIt() {
        String out = run(0, "--control", "--kernel-ms", "60", "--prepare-ms", "1", "--max-steps", "6");
        assertThat(out)
                .contains("square roots = [1.4142", "w waits for a value", "one more step")
                .contains("small enough: hands the result on", "4 of 6 runs computed a step");
        // a run whose residual is there when its build begins need not wait, and a wait may be too short to be drawn
        long drawn = out.lines().filter(l -> l.matches("  S\\d +\\|.*w.*\\|")).count();
        assertThat(drawn).isPositive();
        Matcher told = Pattern.compile("; (\\d+) waited by themselves for the residual of the run ahead")
                .matcher(out);
        assertThat(told.find()).as("%s", out).isTrue();
        assertThat(Long.parseLong(told.group(1))).isBetween(drawn, 5L);
    }

    @Test
    void badInputEndsWithOneClearSentence() {
        assertThat(run(1, "--control", "--max-steps", "0")).contains("--max-steps 0: at least 1 is needed");
        assertThat(run(1, "--control", "--max-steps", "1000000")).contains("is more than 1000");
        assertThat(run(1, "--control", "--tolerance", "0")).contains("a number above 0 is needed");
    }

    @Test
    void aResidualThatIsTooLargeInTheEndIsTold() {
        assertThat(run(0, "--control", "--kernel-ms", "0", "--max-steps", "1"))
                .contains("is not within 1.00e-06 yet; --max-steps allows more steps");
    }

    private static String run(int expected, String... args) {
        StringWriter text = new StringWriter();
        List<String> all = new ArrayList<>(List.of("chain"));
        all.addAll(List.of(args));
        int code = Main.run(new PrintWriter(text), new PrintWriter(text), all.toArray(new String[0]));
        assertThat(code == 0).as("%s", text).isEqualTo(expected == 0);
        return text.toString();
    }
}
