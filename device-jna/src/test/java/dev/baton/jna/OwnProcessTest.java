package dev.baton.jna;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only a JVM of its own can show: little heap under pressure, and an exit while work is in flight. */
class OwnProcessTest {
    /** Far beyond what any of these needs; an exit that hangs comes near. */
    private static final int PATIENCE_SECONDS = 120;

    @TempDir
    private Path folder;

    private record Ended(int status, String said) {}

    private Ended run(List<String> flags, Class<?> main, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        command.addAll(List.of("-cp", path, main.getName()));
        command.addAll(List.of(arguments));
        Path out = Files.createTempFile(folder, "said", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        String said = Files.readString(out, StandardCharsets.UTF_8);
        assertThat(ended).as("the process ends; it said:\n%s", said).isTrue();
        return new Ended(process.exitValue(), said);
    }

    @Test
    void valuesAreRightInASmallHeapUnderHeavyCollection() throws IOException, InterruptedException {
        Ended ended = run(List.of("-XX:+UseSerialGC", "-Xmx64m"), Pressure.class, ReferenceRuntime.library());
        assertThat(ended.said()).contains("rounds=200 right");
        assertThat(ended.status()).as(ended.said()).isZero();
    }

    @Test
    void theJvmExitsWhileARunExecutesThatNeverEnds() throws IOException, InterruptedException {
        Ended ended = run(List.of(), InFlight.class, ReferenceRuntime.library(), "exit", "off");
        assertThat(ended.said()).contains("in flight", "device=native had not closed");
        assertThat(ended.status()).as(ended.said()).isEqualTo(7);
    }

    @Test
    void closingTheHostEndsTheJvmTooAndSaysWhatItLeaks() throws IOException, InterruptedException {
        Ended ended = run(List.of(), InFlight.class, ReferenceRuntime.library(), "close", "1 s");
        assertThat(ended.said()).contains("in flight", "endless", "unreleasable=[x, y]", "leaked=");
        assertThat(ended.status()).as(ended.said()).isZero();
    }
}
