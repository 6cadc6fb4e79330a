package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.testkit.scenario.Scenario;
import dev.baton.testkit.scenario.ScenarioReader;
import dev.baton.testkit.scenario.ScenarioRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every example of docs/scenarios.md holds for many seeds. */
class ScenarioPageTest {
    private static final Path PAGE = Path.of("../docs/scenarios.md");
    private static final Pattern EXAMPLE = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);
    private static final int EXAMPLES = 6;
    private static final int SEEDS = 100;

    @TestFactory
    List<DynamicTest> everyExampleHoldsForEverySeed() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        Matcher m = EXAMPLE.matcher(Files.readString(PAGE));
        while (m.find()) {
            Scenario scenario = ScenarioReader.parse("docs/scenarios.md, example " + (tests.size() + 1), m.group(1));
            tests.add(DynamicTest.dynamicTest(scenario.name(), () -> play(scenario)));
        }
        assertThat(tests).hasSize(EXAMPLES);
        return tests;
    }

    private static void play(Scenario scenario) {
        try (ScenarioRunner runner = new ScenarioRunner()) {
            for (long seed = 1; seed <= SEEDS; seed++) {
                assertThat(runner.play(scenario, seed))
                        .as("%s with seed %d", scenario.source(), seed)
                        .isNull();
            }
        }
    }
}
