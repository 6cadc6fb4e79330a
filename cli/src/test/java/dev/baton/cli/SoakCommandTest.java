package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The short form of the soak. */
@Isolated
class SoakCommandTest {
    private static String out = "";

    private static int soak(String... more) {
        StringWriter text = new StringWriter();
        String[] args =
                Stream.concat(Stream.of("soak", "--runs"), Stream.of(more)).toArray(String[]::new);
        int code = Main.run(new PrintWriter(text), new PrintWriter(text), args);
        out = text.toString();
        return code;
    }

    @ParameterizedTest
    @ValueSource(strings = {"20000", "10000 --blocking"})
    void manyRunsLeaveNothingBehind(String runs) {
        int code = soak(runs.split(" "));
        assertThat(code).as(out).isZero();
        assertThat(out)
                .contains("Nothing has grown beyond its bound.")
                .containsPattern("runs +0 +0")
                .containsPattern("marks +0 +0")
                .containsPattern("pending tables +[01] +[01]")
                .contains("EXECUTION_FAILED", "PREDECESSOR_FAILED", "BUILD_FAILED", "ABANDONED", "UNPROVEN", "runs/s");
    }

    @Test
    void tooFewRunsAreRefusedWithASentence() {
        assertThat(soak("10")).isEqualTo(1);
        assertThat(out).contains("at least 10000 are needed");
    }
}
