package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/RULES.md names every rule, and only tests and scenarios that exist. */
class RulesTableTest {
    private static final Path PAGE = Path.of("../docs/RULES.md");
    private static final Pattern LINK = Pattern.compile("\\[([^\\]]+)]\\(\\.\\./([^)]+)\\)");
    private static final int FAILURE_ROWS = 17;

    @Test
    void everyRuleHasARowWithAtLeastOneTestOrScenario() throws IOException {
        List<String> rows = Files.readAllLines(PAGE);
        List<String> rules = new ArrayList<>();
        add(rules, "L", 13);
        add(rules, "N", 11);
        add(rules, "B", 10);
        add(rules, "F", 4);
        for (String rule : rules) {
            assertThat(rows)
                    .as(rule)
                    .filteredOn(r -> r.startsWith("| " + rule + " |"))
                    .singleElement()
                    .asString()
                    .contains("](../");
        }
        int section = rows.indexOf("## What happened to a run");
        assertThat(rows.subList(section, rows.size()).stream().filter(r -> r.contains("](../")))
                .hasSize(FAILURE_ROWS);
    }

    private static void add(List<String> rules, String letter, int last) {
        for (int i = 1; i <= last; i++) {
            rules.add(letter + i);
        }
    }

    @Test
    void everythingThatIsNamedExists() throws IOException {
        Matcher m = LINK.matcher(Files.readString(PAGE));
        int links = 0;
        while (m.find()) {
            links++;
            Path file = Path.of("..").resolve(m.group(2));
            assertThat(file).exists();
            int hash = m.group(1).indexOf('#');
            if (hash >= 0) {
                assertThat(Files.readString(file)).contains("void " + m.group(1).substring(hash + 1) + "(");
            }
        }
        assertThat(links).isGreaterThan(80);
    }

    @Test
    void thereAreScenariosToName() throws IOException {
        String page = Files.readString(PAGE);
        try (Stream<Path> files = Files.list(Path.of("../test-kit/src/main/resources/scenarios"))) {
            assertThat(files.filter(f -> f.toString().endsWith(".json")).count())
                    .isGreaterThan(80);
        }
        assertThat(page).contains("chain-of-three.json");
    }
}
