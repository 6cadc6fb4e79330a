package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The README's code is this code, and it runs. */
class QuickStartTest {
    @Test
    void runsAndGivesTheRightValues() throws Exception {
        assertThat(QuickStart.addTwice(1, 2, 3)).containsExactly(3, 4, 5);
    }

    @Test
    void theSameWithTypedMessages() throws Exception {
        assertThat(ActorClient.addTwice(1, 2, 3).get(30, TimeUnit.SECONDS)).containsExactly(3, 4, 5);
    }

    @Test
    void theReadmeShowsThisVeryCode() throws Exception {
        String source = Files.readString(Path.of("src/main/java/dev/baton/examples/QuickStart.java"));
        String snippet = source.substring(
                source.indexOf("// <quick-start>\n") + "// <quick-start>\n".length(),
                source.indexOf("    // </quick-start>"));
        assertThat(Files.readString(Path.of("../README.md")))
                .contains(snippet.stripTrailing().stripIndent().strip());
    }
}
