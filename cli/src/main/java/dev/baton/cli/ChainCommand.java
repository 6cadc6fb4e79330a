package dev.baton.cli;

import dev.baton.cli.chain.Chain;
import dev.baton.cli.chain.ChainOptions;
import dev.baton.cli.chain.ChainReport;
import dev.baton.cli.chain.ControlChain;
import dev.baton.cli.chain.ControlOptions;
import dev.baton.cli.chain.ControlReport;
import dev.baton.cli.chain.Vector;
import dev.baton.cli.chain.VectorFile;
import dev.baton.protocol.DataType;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The main job: runs chained on the device. */
@Command(
        name = "chain",
        mixinStandardHelpOptions = true,
        description = {
            "Chains runs on a device: x -> A -> y -> B -> z -> C -> w, each adding a constant.",
            "Intermediates never visit the host; a free that comes too early is refused."
        })
final class ChainCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--input",
            paramLabel = "FILE",
            description = "Input: .csv (one column) or .npy (float32, float64).")
    private @Nullable Path input;

    @Option(names = "--column", paramLabel = "NAME", description = "Column of a CSV input, by name or number from 1.")
    private @Nullable String column;

    @Option(names = "--output", paramLabel = "FILE", description = "Writes the result as .csv or .npy.")
    private @Nullable Path output;

    @Option(names = "--nan", defaultValue = "reject", description = "NaN in the input: ${COMPLETION-CANDIDATES}.")
    private VectorFile.NanPolicy nan;

    @Option(names = "--add", defaultValue = "2.25", description = "What each run adds (default ${DEFAULT-VALUE}).")
    private double add;

    @Option(names = "--runs", defaultValue = "3", description = "Runs of the chain (default ${DEFAULT-VALUE}).")
    private int runs;

    @Option(names = "--depth", defaultValue = "2", description = "Slots of the device (default ${DEFAULT-VALUE}).")
    private int depth;

    @Option(names = "--kernel-ms", defaultValue = "20", description = "Time of one kernel (default ${DEFAULT-VALUE}).")
    private double kernelMs;

    @Option(
            names = "--prepare-ms",
            defaultValue = "10",
            description = "Time of one preparation (default ${DEFAULT-VALUE}).")
    private double prepareMs;

    @Option(names = "--serial", description = "One run at a time, nothing overlapped.")
    private boolean serial;

    @Option(
            names = "--control",
            description = {
                "Another chain: square roots of the input by Newton's method. Each run's host build reads the",
                "residual that the run ahead left on the device, waits where it is not produced yet, and decides",
                "whether one more step is needed."
            })
    private boolean control;

    @Option(
            names = "--tolerance",
            defaultValue = "1e-6",
            description = "With --control: a residual that is small enough (default ${DEFAULT-VALUE}).")
    private double tolerance;

    @Option(
            names = "--max-steps",
            defaultValue = "8",
            description = "With --control: runs of the chain (default ${DEFAULT-VALUE}).")
    private int maxSteps;

    @Option(
            names = "--memory-mib",
            defaultValue = "1024",
            description = "Memory of the device (default ${DEFAULT-VALUE}).")
    private long memoryMib;

    @SuppressWarnings("NullAway.Init") // picocli fills them in
    ChainCommand() {}

    @Override
    public Integer call() throws Exception {
        atLeast(1, runs, "--runs");
        atLeast(1, depth, "--depth");
        if (runs > Chain.MAX_RUNS) {
            throw new UserError("--runs " + runs + " is more than " + Chain.MAX_RUNS);
        }
        if (kernelMs < 0 || prepareMs < 0 || !Double.isFinite(kernelMs) || !Double.isFinite(prepareMs)) {
            throw new UserError("--kernel-ms and --prepare-ms are times in milliseconds, at least 0");
        }
        if (!Double.isFinite(add)) {
            throw new UserError("--add " + add + ": a finite number is needed");
        }
        if (memoryMib < 1 || memoryMib > 1 << 20) {
            throw new UserError("--memory-mib " + memoryMib + ": between 1 and " + (1 << 20) + " are possible");
        }
        if (output != null) {
            VectorFile.checkWritable(output);
        }
        Vector x = input == null ? Vector.constant(DataType.F32, 4, 2.0) : VectorFile.read(input, column, nan);
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (control) {
            return control(x, out);
        }
        ChainOptions options = new ChainOptions(
                runs, depth, add, (long) (kernelMs * 1e6), (long) (prepareMs * 1e6), serial, memoryMib << 20);
        ChainReport report = new Chain(options, err::println).run(x);
        report.print(out);
        if (output != null) {
            VectorFile.write(output, report.result());
            out.println("Written: " + output);
        }
        return 0;
    }

    private int control(Vector a, PrintWriter out) throws InterruptedException {
        atLeast(1, maxSteps, "--max-steps");
        if (maxSteps > ControlChain.MAX_STEPS) {
            throw new UserError("--max-steps " + maxSteps + " is more than " + ControlChain.MAX_STEPS);
        }
        if (!(tolerance > 0)) {
            throw new UserError("--tolerance " + tolerance + ": a number above 0 is needed");
        }
        ControlReport report = new ControlChain(new ControlOptions(
                        maxSteps,
                        serial ? 1 : depth,
                        tolerance,
                        (long) (kernelMs * 1e6),
                        (long) (prepareMs * 1e6),
                        memoryMib << 20))
                .run(a);
        report.print(out);
        if (output != null) {
            VectorFile.write(output, report.result());
            out.println("Written: " + output);
        }
        return 0;
    }

    private static void atLeast(int least, int value, String option) {
        if (value < least) {
            throw new UserError(option + " " + value + ": at least " + least + " is needed");
        }
    }
}
