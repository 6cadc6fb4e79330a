package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.testkit.scenario.Scenario;
import dev.baton.testkit.scenario.ScenarioError;
import dev.baton.testkit.scenario.ScenarioReader;
import dev.baton.testkit.scenario.ScenarioRunner;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every scenario of the project, for seeds 1 to 200, and what the runner says of files it can't read. */
class ScenarioFilesTest {
    private static final Path FILES = Path.of("../test-kit/src/main/resources/scenarios");
    private static final int SEEDS = 200;
    /** The list can't shrink unnoticed. */
    private static final int FILES_AT_LEAST = 99;

    @TestFactory
    List<DynamicTest> everyFileHoldsForEverySeed() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        try (Stream<Path> files = Files.walk(FILES)) {
            files.filter(f -> f.toString().endsWith(".json"))
                    .sorted()
                    .forEach(f ->
                            tests.add(DynamicTest.dynamicTest(f.getFileName().toString(), () -> play(f))));
        }
        assertThat(tests).hasSizeGreaterThanOrEqualTo(FILES_AT_LEAST);
        return tests;
    }

    private static void play(Path file) {
        Scenario scenario = ScenarioReader.read(file);
        try (ScenarioRunner runner = new ScenarioRunner()) {
            for (long seed = 1; seed <= SEEDS; seed++) {
                assertThat(runner.play(scenario, seed))
                        .as("./baton scenario --seed %d %s", seed, file)
                        .isNull();
            }
        }
    }

    @Test
    void theCommandPrintsOneLineForEachFileAndASum() {
        StringWriter out = new StringWriter();
        int code = Main.run(
                new PrintWriter(out),
                new PrintWriter(out),
                "scenario",
                "--seeds",
                "1..2",
                FILES.resolve("chain-of-three.json").toString());
        assertThat(out.toString()).isEqualToIgnoringNewLines("PASS chain-of-three\n1 passed, 0 failed\n");
        assertThat(code).isZero();
    }

    @Test
    void aStepThatDoesNotHoldIsNamedWithItsNumberAndSeed(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("wrong.json"), """
                {"name": "wrong", "steps": [
                  {"do": "alloc", "as": "x", "f32": [1]},
                  {"do": "free", "buffer": "x", "expect": {"refused": "IN_USE"}}]}
                """);
        StringWriter out = new StringWriter();
        int code = Main.run(new PrintWriter(out), new PrintWriter(out), "scenario", "--seeds", "3..4", file.toString());
        assertThat(out.toString())
                .contains("FAIL wrong: step 2 (free): expected {\"refused\":\"IN_USE\"}, got RELEASED (seed 3)")
                .contains("0 passed, 1 failed");
        assertThat(code).isEqualTo(1);
    }

    @Test
    void anUnknownKeyStepValueOrNameIsAnErrorThatNamesFileStepAndKey() {
        assertError("{\"name\": \"n\", \"stepps\": []}", "f.json: top level: unknown key 'stepps'");
        assertError(
                "{\"name\": \"n\", \"steps\": [{\"do\": \"fly\"}]}", "f.json: step 1: unknown step 'fly' at key do");
        assertError(
                "{\"name\": \"n\", \"steps\": [{\"do\": \"alloc\", \"as\": \"x\", \"byte\": 4}]}",
                "f.json: step 1 (alloc): unknown key 'byte'");
        assertError(
                "{\"name\": \"n\", \"steps\": [{\"do\": \"write\", \"buffer\": \"x\"}]}",
                "f.json: step 1 (write): key f32 is missing");
        assertError(
                "{\"name\": \"n\", \"steps\": [{\"do\": \"submit\", \"as\": \"A\", \"call\": \"mul\", \"args\": []}]}",
                "f.json: step 1 (submit): unknown value 'mul' at key call");
        assertError("{\"name\": \"n\", ", "f.json: is no JSON");
        Scenario unknownBuffer =
                ScenarioReader.parse("f.json", "{\"name\": \"n\", \"steps\": [{\"do\": \"free\", \"buffer\": \"q\"}]}");
        try (ScenarioRunner runner = new ScenarioRunner()) {
            org.assertj.core.api.Assertions.assertThatThrownBy(() -> runner.play(unknownBuffer, 1))
                    .isInstanceOf(ScenarioError.class)
                    .hasMessageContaining("f.json: step 1 (free): unknown buffer 'q'");
        }
    }

    private static void assertError(String text, String message) {
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> ScenarioReader.parse("f.json", text))
                .isInstanceOf(ScenarioError.class)
                .hasMessageContaining(message);
    }
}
