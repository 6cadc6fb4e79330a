package dev.baton.jna;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Builds the reference runtime from its C sources with the system's compiler, once for each set of flags. */
final class ReferenceRuntime {
    private static final Path SOURCES = Path.of("src/reference/c");
    private static final Map<List<String>, String> BUILT = new ConcurrentHashMap<>();

    private ReferenceRuntime() {}

    /** The library as it is. */
    static String library() {
        return library(List.of());
    }

    /** A library that lacks a function: it has another name there. */
    static String without(String function) {
        return library(List.of("-D" + function + "=not_" + function));
    }

    /** The library, built with more flags. */
    static String library(List<String> flags) {
        return BUILT.computeIfAbsent(flags, ReferenceRuntime::build);
    }

    private static String build(List<String> flags) {
        String compiler = Stream.of("cc", "gcc", "clang")
                .filter(ReferenceRuntime::installed)
                .findFirst()
                .orElse("");
        assumeTrue(
                !compiler.isEmpty(),
                "no C compiler is installed: the reference runtime can't be built; on Debian: apt-get install gcc libc6-dev");
        try {
            Path to = Files.createDirectories(Path.of("target/reference"))
                    .resolve("libbaton_reference" + BUILT.size() + Integer.toHexString(flags.hashCode()) + ".so")
                    .toAbsolutePath();
            List<String> command = new ArrayList<>(List.of(
                    compiler,
                    "-std=c11",
                    "-D_GNU_SOURCE",
                    "-O2",
                    "-Wall",
                    "-Wextra",
                    "-Werror",
                    "-fvisibility=hidden",
                    "-fPIC",
                    "-shared",
                    "-pthread"));
            command.addAll(flags);
            command.addAll(List.of("-o", to.toString()));
            try (Stream<Path> files = Files.list(SOURCES)) {
                files.map(Path::toString).filter(f -> f.endsWith(".c")).sorted().forEach(command::add);
            }
            command.add("-lm");
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError("the reference runtime does not compile:\n" + said);
            }
            return to.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static boolean installed(String compiler) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, compiler)));
    }
}
