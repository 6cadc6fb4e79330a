package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The short form of the soak. */
@Isolated
class SoakCommandTest {
    private static String out = "";

    private static int soak(String runs) {
        StringWriter text = new StringWriter();
        int code = Main.run(new PrintWriter(text), new PrintWriter(text), "soak", "--runs", runs);
        out = text.toString();
        return code;
    }

    @Test
    void manyRunsLeaveNothingBehind() {
        int code = soak("20000");
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
