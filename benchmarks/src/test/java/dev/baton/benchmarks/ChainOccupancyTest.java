package dev.baton.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The short form works; no time is asserted. */
class ChainOccupancyTest {
    @Test
    void theShortFormPrintsOneLineForEachCase() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ChainOccupancy.report(
                new PrintStream(bytes, true, StandardCharsets.UTF_8),
                List.of(
                        new ChainOccupancy.Case("joined", 2, true, 10, 100_000, 50_000),
                        new ChainOccupancy.Case("prepare-only", 3, false, 10, 100_000, 50_000)));
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .hasSize(2)
                .allMatch(l -> l.matches(
                        "\\{\"bench\": \"[a-z-]+\", \"value\": [0-9.]+, \"unit\": \"ms\", .*\"ratio\": [0-9.]+}"));
    }
}
