package dev.baton.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program {@code baton}. Exit codes: 0 done, 1 the work failed, 2 wrong usage. */
@Command(
        name = "baton",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = "Schedules work on accelerators; runs hand their results on, on the device.",
        subcommands = {
            ChainCommand.class,
            ScenarioCommand.class,
            ExploreCommand.class,
            SoakCommand.class,
            BenchCommand.class
        })
public final class Main implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--debug", scope = CommandLine.ScopeType.INHERIT, description = "Show stack traces of failures.")
    private boolean debug;

    @SuppressWarnings("NullAway.Init") // picocli fills it in
    public Main() {}

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "Which command?");
    }

    /** The version of the jar. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"baton " + (version == null ? "development" : version)};
        }
    }

    /** Runs a command line; gives its exit code. */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        Main main = new Main();
        CommandLine line = new CommandLine(main);
        line.setOut(out);
        line.setErr(err);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler((failure, at, parsed) -> {
            err.println("baton: " + (failure instanceof UserError ? failure.getMessage() : failure.toString()));
            if (main.debug) {
                failure.printStackTrace(err);
            }
            return 1;
        });
        int code = line.execute(args);
        out.flush();
        err.flush();
        return code;
    }

    public static void main(String[] args) {
        System.exit(run(new PrintWriter(System.out, true), new PrintWriter(System.err, true), args));
    }
}
