package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.FailureReason;
import dev.baton.protocol.Health;
import dev.baton.protocol.LaneState;
import dev.baton.protocol.OperationFailure;
import dev.baton.protocol.RefusalCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** docs/operations.md has a row for all that an operator may meet. */
class OperationsPageTest {
    private static final Path PAGE = Path.of("../docs/operations.md");

    private static List<String> section(String title) throws IOException {
        List<String> lines = Files.readAllLines(PAGE);
        int from = -1;
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("## " + title)) {
                from = i;
            } else if (from >= 0 && lines.get(i).startsWith("## ")) {
                return lines.subList(from, i);
            }
        }
        assertThat(from).as(title).isNotNegative();
        return lines.subList(from, lines.size());
    }

    private static void eachHasARow(Enum<?>[] values, String section) throws IOException {
        List<String> rows = section(section);
        List<String> missing = new ArrayList<>();
        Arrays.stream(values).map(Enum::name).forEach(name -> {
            if (rows.stream().noneMatch(r -> r.startsWith("| ") && r.split("\\|")[1].contains("`" + name + "`"))) {
                missing.add(name);
            }
        });
        assertThat(missing).as(section).isEmpty();
    }

    @Test
    void everyReasonCodeFailureAndHealthHasItsRow() throws IOException {
        eachHasARow(FailureReason.values(), "A run failed");
        eachHasARow(RefusalCode.values(), "A command was refused");
        eachHasARow(OperationFailure.values(), "A memory operation failed");
        eachHasARow(Health.values(), "Health");
        String page = Files.readString(PAGE);
        for (LaneState s : LaneState.values()) {
            assertThat(page).contains("`" + s + "`");
        }
    }

    @Test
    void itIsLinkedFromWhereAPersonBegins() throws IOException {
        assertThat(Files.readString(Path.of("../README.md"))).contains("docs/operations.md");
        assertThat(Files.readString(Path.of("../docs/architecture.md"))).contains("operations.md");
    }
}
