package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The main job end to end, on real threads. */
class ChainCommandTest {
    @TempDir
    private Path folder;

    private String out = "";

    @SuppressWarnings("NullAway.Init") // JUnit fills the folder in
    ChainCommandTest() {}

    private int chain(String... args) {
        StringWriter text = new StringWriter();
        List<String> all = new ArrayList<>(List.of("chain", "--prepare-ms", "0.5"));
        all.addAll(List.of(args));
        if (!all.contains("--kernel-ms")) {
            all.addAll(List.of("--kernel-ms", "1"));
        }
        int code = Main.run(new PrintWriter(text), new PrintWriter(text), all.toArray(new String[0]));
        out = text.toString();
        return code;
    }

    @Test
    void threeRunsHandTheirResultsOn() {
        assertThat(chain("--kernel-ms", "60")).isZero();
        assertThat(out)
                .contains("y = [4.25, 4.25, 4.25, 4.25]", "z = [6.5, 6.5, 6.5, 6.5]", "w = [8.75, 8.75, 8.75, 8.75]")
                .contains("Free of y while runs needed it: refused IN_USE", "in use by run A (1), run B (2)")
                .contains("Free of y after they had ended: released")
                .contains("Time line", "Device busy");
    }

    @Test
    void aCsvColumnGoesInAndTheResultComesOut() throws IOException {
        Path in = Files.writeString(folder.resolve("in.csv"), "t,value\n0,1.5\n1,-2\n2,1e3\n");
        Path result = folder.resolve("out.csv");
        assertThat(chain(
                        "--input",
                        in.toString(),
                        "--column",
                        "value",
                        "--output",
                        result.toString(),
                        "--runs",
                        "5",
                        "--add",
                        "1"))
                .isZero();
        assertThat(Files.readString(result)).isEqualTo("value\n6.5\n3.0\n1005.0\n");
    }

    @Test
    void aFloat64ArrayGoesThroughSerially() throws IOException {
        Path in = folder.resolve("in.npy");
        Files.write(in, npy("<f8", 3, 0.1, 0.2, 0.3));
        Path result = folder.resolve("out.npy");
        assertThat(chain("--input", in.toString(), "--output", result.toString(), "--serial", "--add", "0.5"))
                .isZero();
        ByteBuffer written = ByteBuffer.wrap(Files.readAllBytes(result)).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(written.getDouble(written.limit() - 8)).isEqualTo(1.8);
        assertThat((written.limit() - 24) % 64).isZero();
    }

    @Test
    void badInputEndsWithOneClearSentenceAndWritesNothing() throws IOException {
        Path result = folder.resolve("never.csv");
        refused("no such file", "--input", folder.resolve("none.csv").toString());
        refused(
                "unknown kind of file",
                "--input",
                Files.writeString(folder.resolve("a.txt"), "1").toString());
        refused(
                "'many' is no number",
                "--input",
                Files.writeString(folder.resolve("b.csv"), "v\n1\nmany\n").toString());
        refused(
                "value 2 is NaN",
                "--input",
                Files.writeString(folder.resolve("c.csv"), "1\nNaN\n").toString());
        refused(
                "has 2 columns",
                "--input",
                Files.writeString(folder.resolve("d.csv"), "1,2\n").toString());
        refused(
                "holds no values",
                "--input",
                Files.writeString(folder.resolve("e.csv"), "v\n").toString());
        refused(
                "does not begin with NumPy's mark",
                "--input",
                Files.writeString(folder.resolve("f.npy"), "123456789012").toString());
        Path ints = Files.write(folder.resolve("g.npy"), npy("<i8", 1, 0.0));
        refused("elements of type <i8", "--input", ints.toString());
        Path cut = Files.write(folder.resolve("h.npy"), npy("<f8", 2, 0.0));
        refused("its shape asks for 16 bytes, but it holds 8", "--input", cut.toString());
        refused("at least 1 is needed", "--runs", "0");
        refused("OutOfMemory", "--memory-mib", "1", "--runs", "20000");
        refused(
                "can't be written",
                "--output",
                folder.resolve("no/such/folder.csv").toString());
        assertThat(result).doesNotExist();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(f -> f.getFileName().toString())).noneMatch(n -> n.endsWith(".part"));
        }
    }

    private void refused(String sentence, String... args) {
        assertThat(chain(args)).isNotZero();
        if (!sentence.equals("OutOfMemory")) {
            assertThat(out).contains(sentence);
        } else {
            assertThat(out).contains("allocate", "Free something or ask for less");
        }
        assertThat(out.lines().filter(l -> l.startsWith("\tat "))).isEmpty();
    }

    @Test
    void unknownOptionsAreWrongUsage() {
        assertThat(chain("--dept", "3")).isEqualTo(2);
        assertThat(out).contains("--dept");
    }

    private static byte[] npy(String descr, int elements, double... values) {
        String dict = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + elements + ",), }\n";
        ByteBuffer b =
                ByteBuffer.allocate(10 + dict.length() + 8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        b.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0}).putShort((short) dict.length());
        b.put(dict.getBytes(StandardCharsets.US_ASCII));
        for (double v : values) {
            b.putDouble(v);
        }
        return b.array();
    }
}
