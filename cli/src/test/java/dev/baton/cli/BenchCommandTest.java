package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.benchmarks.Benches;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The short form works; no time is asserted. */
class BenchCommandTest {
    private String out = "";

    private int bench(String... args) {
        StringWriter text = new StringWriter();
        PrintWriter writer = new PrintWriter(text);
        List<String> all = new ArrayList<>(List.of("bench"));
        all.addAll(List.of(args));
        int code = Main.run(writer, writer, all.toArray(String[]::new));
        out = text.toString();
        return code;
    }

    @Test
    void everyBenchmarkGivesOneJsonObject() throws Exception {
        assertThat(bench("--short", "--json")).as(out).isZero();
        ObjectMapper json = new ObjectMapper();
        List<String> names = new ArrayList<>();
        for (String line : out.lines().toList()) {
            JsonNode object = json.readTree(line);
            names.add(object.get("bench").asText());
            assertThat(object.get("value").asDouble()).as(line).isPositive();
            assertThat(object.get("baseline").asDouble()).as(line).isPositive();
            assertThat(object.get("ratio").asDouble())
                    .as(line)
                    .isEqualTo(object.get("value").asDouble()
                            / object.get("baseline").asDouble());
            assertThat(object.get("unit").asText()).isNotBlank();
        }
        assertThat(names).containsExactlyElementsOf(new Benches().names());
    }

    @Test
    void peopleGetATableOfWhatTheyName() {
        assertThat(bench("--short", "copy-1MiB")).isZero();
        assertThat(out.lines()).hasSize(2);
        assertThat(out).contains("copy-1MiB", "at most 1.300");
        assertThat(bench("--list")).isZero();
        assertThat(out.lines()).containsExactlyElementsOf(new Benches().names());
    }

    @Test
    void anUnknownNameEndsWithOneSentence() {
        assertThat(bench("no-such")).isEqualTo(1);
        assertThat(out).contains("no benchmark is named 'no-such'").doesNotContain("\tat ");
    }
}
