package dev.baton.cli;

import dev.baton.cli.soak.Soak;
import dev.baton.cli.soak.SoakReport;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows that memory is bounded. */
@Command(
        name = "soak",
        mixinStandardHelpOptions = true,
        description = {
            "Shows that memory stays bounded.",
            "Runs very many runs on a simulated device, many of them failing, with resets in between,",
            "and counts what is alive before and after; exit code 1 if anything has grown beyond its bound."
        })
final class SoakCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--runs", defaultValue = "1000000", description = "Runs (default ${DEFAULT-VALUE}).")
    private long runs;

    @Option(names = "--blocking", description = "Driver calls block: each slot's on a thread of its own (slower).")
    private boolean blocking;

    @SuppressWarnings("NullAway.Init") // picocli fills them in
    SoakCommand() {}

    @Override
    public Integer call() throws Exception {
        if (runs < Soak.LEAST_RUNS) {
            throw new UserError("--runs " + runs + ": at least " + Soak.LEAST_RUNS + " are needed to see growth");
        }
        PrintWriter out = spec.commandLine().getOut();
        SoakReport report = new Soak(runs, blocking, spec.commandLine().getErr()::println).run();
        report.print(out);
        if (!report.grown().isEmpty()) {
            throw new UserError("not bounded: " + String.join("; ", report.grown()));
        }
        out.println("Nothing has grown beyond its bound.");
        return 0;
    }
}
