package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lane.Lifecycle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The diagram in the docs is the one that the table gives. */
class LifecycleDiagramTest {
    @Test
    void theDocsShowTheTable() throws IOException {
        String page = Files.readString(Path.of("../docs/lifecycle.md"));
        assertThat(page).contains("```mermaid\n" + Lifecycle.mermaid() + "```");
    }
}
