package dev.baton.cli;

import dev.baton.testkit.scenario.Scenario;
import dev.baton.testkit.scenario.ScenarioError;
import dev.baton.testkit.scenario.ScenarioReader;
import dev.baton.testkit.scenario.ScenarioRunner;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Plays scenario files on the simulated device. */
@Command(
        name = "scenario",
        mixinStandardHelpOptions = true,
        description = "Plays scenario files on the simulated device and says which hold.")
final class ScenarioCommand implements Callable<Integer> {
    private final Supplier<ScenarioRunner> runners;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "The seed that chooses the order of what is ready (default: the file's own, else 1).")
    private @Nullable Long seed;

    @Option(names = "--seeds", paramLabel = "A..B", description = "Plays each file with every seed of the range.")
    private @Nullable String seeds;

    @Parameters(arity = "1..*", paramLabel = "FILE_OR_FOLDER", description = "Scenario files, or folders of them.")
    private List<Path> files;

    /** Plays Baton as it is. */
    ScenarioCommand() {
        this(ScenarioRunner::new);
    }

    /** Plays with those runners. */
    @SuppressWarnings("NullAway.Init") // picocli fills the rest in
    ScenarioCommand(Supplier<ScenarioRunner> runners) {
        this.runners = runners;
    }

    @Override
    public Integer call() {
        if (seed != null && seeds != null) {
            throw new UserError("give --seed or --seeds, not both");
        }
        SeedRange range = seeds != null ? SeedRange.parse(seeds) : seed != null ? new SeedRange(seed, seed) : null;
        PrintWriter out = spec.commandLine().getOut();
        int passed = 0;
        int failed = 0;
        try (ScenarioRunner runner = runners.get()) {
            for (Path file : expand(files)) {
                String failure = play(runner, file, range, out);
                if (failure == null) {
                    passed++;
                } else {
                    failed++;
                    out.println(failure);
                }
                out.flush();
            }
        }
        out.println(passed + " passed, " + failed + " failed");
        return failed == 0 ? 0 : 1;
    }

    private static @Nullable String play(ScenarioRunner runner, Path file, @Nullable SeedRange asked, PrintWriter out) {
        Scenario scenario;
        try {
            scenario = ScenarioReader.read(file);
            SeedRange range = asked != null ? asked : own(scenario);
            for (long s = range.from(); s <= range.to(); s++) {
                String failure = runner.play(scenario, s);
                if (failure != null) {
                    return "FAIL " + scenario.name() + ": " + failure + (range.one() ? "" : " (seed " + s + ")");
                }
            }
        } catch (ScenarioError e) {
            return "ERROR " + e.getMessage();
        }
        out.println("PASS " + scenario.name());
        return null;
    }

    private static SeedRange own(Scenario scenario) {
        Long seed = scenario.seed();
        return seed == null ? new SeedRange(1, 1) : new SeedRange(seed, seed);
    }

    private static List<Path> expand(List<Path> given) {
        List<Path> all = new ArrayList<>();
        for (Path p : given) {
            if (Files.isDirectory(p)) {
                try (Stream<Path> inside = Files.walk(p)) {
                    inside.filter(f -> f.toString().endsWith(".json")).sorted().forEach(all::add);
                } catch (IOException e) {
                    throw new UserError(p + ": can't be listed: " + e.getMessage());
                }
            } else if (Files.isRegularFile(p)) {
                all.add(p);
            } else {
                throw new UserError(p + ": no such file or folder");
            }
        }
        if (all.isEmpty()) {
            throw new UserError("no scenario files (*.json) in " + given);
        }
        return all;
    }
}
