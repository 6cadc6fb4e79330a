package dev.baton.cli;

import dev.baton.testkit.explore.Explorer;
import dev.baton.testkit.explore.Finding;
import dev.baton.testkit.explore.Progress;
import dev.baton.testkit.explore.Report;
import dev.baton.testkit.scenario.ScenarioRunner;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Looks for programs that break an invariant. */
@Command(
        name = "explore",
        mixinStandardHelpOptions = true,
        description = {
            "Looks for races that nobody has scripted.",
            "Draws a device and a program of commands, faults and crashes from each seed, plays it on the real actors under",
            "the deterministic runtime, and checks the invariants after each step. The first program that breaks one is",
            "shortened and saved as a scenario file.",
            "Without --seeds it begins at a seed that the clock gives, so that each call sees new programs."
        })
final class ExploreCommand implements Callable<Integer> {
    private static final double DEFAULT_MINUTES = 1;
    /** Messages before the violation that are printed; the rest would hide them. */
    private static final int MESSAGES = 60;

    private final Supplier<ScenarioRunner> runners;

    @Spec
    private CommandSpec spec;

    @Option(names = "--seeds", paramLabel = "A..B", description = "Plays the programs of these seeds.")
    private @Nullable String seeds;

    @Option(
            names = "--minutes",
            paramLabel = "M",
            description = "Ends after so long (default: 1 without --seeds, else no limit).")
    private @Nullable String minutes;

    @Option(
            names = "--save",
            paramLabel = "DIR",
            defaultValue = "explored",
            description = "Folder for what is found (default: ${DEFAULT-VALUE}).")
    private Path save;

    /** Explores Baton as it is. */
    ExploreCommand() {
        this(ScenarioRunner::new);
    }

    /** Explores what those runners play. */
    @SuppressWarnings("NullAway.Init") // picocli fills the rest in
    ExploreCommand(Supplier<ScenarioRunner> runners) {
        this.runners = runners;
    }

    @Override
    public Integer call() {
        Double limit = minutes == null ? null : number(minutes);
        SeedRange range = seeds == null ? fromTheClock() : SeedRange.parse(seeds);
        checkFolder();
        PrintWriter out = spec.commandLine().getOut();
        out.println("Exploring from seed " + range.from() + (seeds == null ? "" : " to " + range.to())
                + (limit == null && seeds != null ? "" : ", at most " + minutes(limit) + " min"));
        out.flush();
        Report report = new Explorer(runners, p -> progress(out, p))
                .run(range.from(), range.to(), limit == null && seeds != null ? 0 : minutes(limit));
        out.println(report.summary());
        Finding found = report.violation();
        if (found == null) {
            out.println("No invariant was broken (seeds " + range.from() + ".." + (range.from() + report.programs() - 1)
                    + ")");
            return 0;
        }
        tell(out, found, write(found));
        return 1;
    }

    private static double number(String text) {
        double value;
        try {
            value = Double.parseDouble(text.trim());
        } catch (NumberFormatException e) {
            throw new UserError("--minutes " + text + ": a number of minutes is needed");
        }
        if (!(value > 0 && Double.isFinite(value))) {
            throw new UserError("--minutes " + text + ": more than 0 is needed");
        }
        return value;
    }

    private static double minutes(@Nullable Double limit) {
        return limit == null ? DEFAULT_MINUTES : limit;
    }

    private static SeedRange fromTheClock() {
        return new SeedRange(System.currentTimeMillis(), Long.MAX_VALUE);
    }

    private static void progress(PrintWriter out, Progress p) {
        out.printf(
                Locale.ROOT,
                "  seed %d: %d programs, %.0f per second%n",
                p.seed(),
                p.programs(),
                p.programsPerSecond());
        out.flush();
    }

    /** Before an hour of work, not after it. */
    private void checkFolder() {
        Path at = save.toAbsolutePath();
        while (at != null && !Files.exists(at)) {
            at = at.getParent();
        }
        if (at == null || !Files.isDirectory(at) || !Files.isWritable(at)) {
            throw new UserError("--save " + save + ": " + at + " is no folder that can be written to");
        }
    }

    private Path write(Finding found) {
        Path file = save.resolve(found.fileName());
        try {
            Files.createDirectories(save);
            return Files.writeString(file, found.scenario() + "\n");
        } catch (IOException e) {
            throw new UserError(file + ": can't be written: " + e.getMessage());
        }
    }

    private static void tell(PrintWriter out, Finding found, Path file) {
        out.println();
        out.println("VIOLATION with seed " + found.seed() + ": " + found.message());
        out.println();
        out.println("The last messages before it (receiver <- message):");
        List<String> messages = found.messages();
        messages.subList(Math.max(0, messages.size() - MESSAGES), messages.size())
                .forEach(m -> out.println("  " + m));
        out.println();
        out.println(
                "The shortest program that still fails, " + found.steps() + " of " + found.stepsDrawn() + " steps:");
        out.println(found.scenario());
        out.println();
        out.println("Saved: " + file);
        out.println("Replay: ./baton scenario " + file);
    }
}
