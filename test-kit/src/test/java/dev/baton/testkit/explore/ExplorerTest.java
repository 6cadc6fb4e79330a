package dev.baton.testkit.explore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.testkit.scenario.ScenarioReader;
import dev.baton.testkit.scenario.ScenarioRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Baton holds its invariants in thousands of drawn programs, and the explorer finds, shrinks and replays what breaks them. */
class ExplorerTest {
    private static final long SEEDS = 5_000;
    private static final int PLAYED_TWICE = 100;

    @TempDir
    Path folder;

    @Test
    void noInvariantBreaks() throws IOException {
        Report report = new Explorer().run(1, SEEDS, 0);
        Finding found = report.violation();
        if (found != null) {
            Path file = Files.createTempFile("explored-" + found.seed() + "-", ".json");
            Files.writeString(file, found.scenario());
            throw new AssertionError("seed " + found.seed() + ": " + found.message()
                    + "\nreplay with ./baton scenario --seed "
                    + found.seed() + " " + file + "\nlast of " + found.trace().size() + " entries of the trace: "
                    + found.trace());
        }
        assertThat(report.programs()).isEqualTo(SEEDS);
        assertThat(report.commands()).isGreaterThanOrEqualTo(SEEDS * Explorer.COMMANDS);
    }

    /** The planted bug: frees are lost on their way to the platform. */
    @Test
    void aLostAnswerIsFoundAndShrunk() throws IOException {
        Report report = new Explorer(() -> new ScenarioRunner(new Saboteur())).run(1, 500, 0);
        Finding found = Objects.requireNonNull(report.violation(), "the planted bug was not found");
        assertThat(found.message()).contains("invariant (i)").contains("free");
        assertThat(found.steps()).isLessThan(found.stepsDrawn()).isLessThanOrEqualTo(4);

        Path file = Files.writeString(folder.resolve("found.json"), found.scenario());
        try (ScenarioRunner broken = new ScenarioRunner(new Saboteur());
                ScenarioRunner sound = new ScenarioRunner()) {
            assertThat(broken.play(ScenarioReader.read(file), found.seed())).isEqualTo(found.message());
            assertThat(sound.play(ScenarioReader.read(file), found.seed())).isNull();
        }
    }

    @Test
    void aSeedDrawsTheSameProgramAndPlaysItTheSame() {
        assertThat(Explorer.program(7)).isEqualTo(Explorer.program(7)).isNotEqualTo(Explorer.program(8));
        long first = hash(7);
        assertThat(hash(7)).isEqualTo(first);
    }

    /** What a file replays alone is what the explorer played among thousands of others. */
    @Test
    void aProgramDoesTheSameAloneAsAmongOthers() {
        try (ScenarioRunner shared = new ScenarioRunner()) {
            for (long seed = 1; seed <= PLAYED_TWICE; seed++) {
                assertThat(shared.play(ScenarioReader.parse("program", Explorer.program(seed)), seed))
                        .isNull();
                assertThat(shared.traceHash()).as("seed %d", seed).isEqualTo(hash(seed));
            }
        }
    }

    private static long hash(long seed) {
        try (ScenarioRunner runner = new ScenarioRunner()) {
            assertThat(runner.play(ScenarioReader.parse("program", Explorer.program(seed)), seed))
                    .isNull();
            return runner.traceHash();
        }
    }
}
