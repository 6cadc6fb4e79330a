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
    @Spec
    private CommandSpec spec;

    @Option(names = "--seed", paramLabel = "N", description = "The seed that chooses the order of what is ready.")
    private @Nullable Long seed;

    @Option(names = "--seeds", paramLabel = "A..B", description = "Plays each file with every seed of the range.")
    private @Nullable String seeds;

    @Parameters(arity = "1..*", paramLabel = "FILE_OR_FOLDER", description = "Scenario files, or folders of them.")
    private List<Path> files;

    @SuppressWarnings("NullAway.Init") // picocli fills them in
    ScenarioCommand() {}

    @Override
    public Integer call() {
        if (seed != null && seeds != null) {
            throw new UserError("give --seed or --seeds, not both");
        }
        SeedRange range = seeds != null
                ? SeedRange.parse(seeds)
                : new SeedRange(seed == null ? 1 : seed, seed == null ? 1 : seed);
        PrintWriter out = spec.commandLine().getOut();
        int passed = 0;
        int failed = 0;
        try (ScenarioRunner runner = new ScenarioRunner()) {
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

    private static @Nullable String play(ScenarioRunner runner, Path file, SeedRange range, PrintWriter out) {
        Scenario scenario;
        try {
            scenario = ScenarioReader.read(file);
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
