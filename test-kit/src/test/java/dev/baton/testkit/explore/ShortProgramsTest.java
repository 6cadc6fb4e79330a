package dev.baton.testkit.explore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.testkit.scenario.ScenarioReader;
import dev.baton.testkit.scenario.ScenarioRunner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A short form of the explorer and of the scenario files, for mutation testing. */
class ShortProgramsTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void drawnProgramsHold(int part) {
        try (ScenarioRunner runner = new ScenarioRunner()) {
            for (long seed = 1 + part * 25L; seed <= (part + 1) * 25L; seed++) {
                assertThat(runner.play(ScenarioReader.parse("seed " + seed, Explorer.program(seed)), seed))
                        .as("seed " + seed)
                        .isNull();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void scenarioFilesHold(int part) throws Exception {
        List<Path> files;
        try (Stream<Path> all = Files.walk(Path.of("src/main/resources/scenarios"))) {
            files = all.filter(f -> f.toString().endsWith(".json")).sorted().toList();
        }
        try (ScenarioRunner runner = new ScenarioRunner()) {
            for (int i = part; i < files.size(); i += 4) {
                assertThat(runner.play(ScenarioReader.read(files.get(i)), 1))
                        .as(files.get(i).toString())
                        .isNull();
            }
        }
    }
}
