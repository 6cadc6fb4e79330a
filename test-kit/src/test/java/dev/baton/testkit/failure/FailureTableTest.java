package dev.baton.testkit.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.testkit.failure.Way.Profile;
import dev.baton.testkit.scenario.Scenario;
import dev.baton.testkit.scenario.ScenarioReader;
import dev.baton.testkit.scenario.ScenarioRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every row of the failure table in every way that it comes about: the run's answer, the lane and the ledger's facts, with and
 * without a successor that reads the bytes (in each phase), with and without a declaration.
 */
class FailureTableTest {
    private static final Path PAGE = Path.of("../docs/RULES.md");
    private static final int SEEDS = 4;
    /** The product can't shrink unnoticed. */
    private static final int CELLS_AT_LEAST = 400;

    private static final ScenarioRunner RUNNER = new ScenarioRunner();

    @AfterAll
    static void end() {
        RUNNER.close();
    }

    @TestFactory
    List<DynamicTest> eachCellHasItsAnswerLaneAndFacts() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Way way : FailureTable.ways()) {
            for (Profile profile : way.profiles) {
                for (boolean successor : new boolean[] {false, true}) {
                    for (boolean declares : new boolean[] {true, false}) {
                        String title = way.row + " (" + way.name + "), "
                                + (successor ? "successor " + profile : "alone, " + profile)
                                + (declares ? ", declares" : ", declares nothing");
                        String text = way.scenario(profile, successor, declares);
                        tests.add(DynamicTest.dynamicTest(title, () -> play(title, text)));
                    }
                }
            }
        }
        assertThat(tests).hasSizeGreaterThanOrEqualTo(CELLS_AT_LEAST);
        return tests;
    }

    private static void play(String title, String text) {
        Scenario scenario = ScenarioReader.parse(title, text);
        for (long seed = 1; seed <= SEEDS; seed++) {
            assertThat(RUNNER.play(scenario, seed))
                    .as("seed %d of%n%s", seed, text)
                    .isNull();
        }
    }

    @Test
    void everyRowOfThePageHasItsCells() throws IOException {
        Set<String> rows = new LinkedHashSet<>();
        List<String> lines = Files.readAllLines(PAGE);
        for (String line : lines.subList(lines.indexOf("## What happened to a run"), lines.size())) {
            if (line.startsWith("| ") && line.contains("](../")) {
                rows.add(line.substring(2, line.indexOf(" | ")));
            }
        }
        Set<String> tested = new LinkedHashSet<>();
        FailureTable.ways().forEach(w -> tested.add(w.row));
        assertThat(tested).containsExactlyInAnyOrderElementsOf(rows).hasSizeGreaterThanOrEqualTo(17);
    }
}
