package dev.baton.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The short form works; no time is asserted. */
class ElementReadTest {
    @Test
    void theShortFormPrintsOneLineForEachCase() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ElementRead.report(
                new PrintStream(bytes, true, StandardCharsets.UTF_8),
                List.of(
                        new ElementRead.Case("free", 1 << 10, false, 5000, 3),
                        new ElementRead.Case("fenced-beside", 1 << 10, true, 5000, 3)));
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .hasSize(2)
                .allMatch(l -> l.matches(
                        "\\{\"bench\": \"[a-z-]+\", \"value\": [0-9.]+, \"unit\": \"ns\", .*\"ratio\": [0-9.]+}"));
    }
}
