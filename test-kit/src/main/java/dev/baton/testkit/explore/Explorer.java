package dev.baton.testkit.explore;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.testkit.scenario.ScenarioReader;
import dev.baton.testkit.scenario.ScenarioRunner;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Looks for programs that break an invariant: each seed draws a device and a program with faults, plays it with that seed, and then
 * requires that everything owed is answered. The first that fails is shrunk to a scenario file which the scenario runner replays with
 * the same seed.
 */
public final class Explorer {
    /** Commands of a program, besides the allocations that it begins with. */
    public static final int COMMANDS = 30;

    private static final Pattern LETTER = Pattern.compile("invariant \\((.)\\)");
    private static final long NANOS_PER_MINUTE = 60_000_000_000L;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long BETWEEN_PROGRESS_NANOS = 5_000_000_000L;
    /** So many programs share one actor system; a system keeps a little of each. */
    private static final int PROGRAMS_PER_SYSTEM = 2_000;

    private final Supplier<ScenarioRunner> runners;
    private final Consumer<Progress> progress;

    /** Explores Baton as it is. */
    public Explorer() {
        this(ScenarioRunner::new);
    }

    /** Explores with runners of one's own, for example such that break something on purpose. */
    public Explorer(Supplier<ScenarioRunner> runners) {
        this(runners, p -> {});
    }

    /** The same, and tells every few seconds how far it has come. */
    public Explorer(Supplier<ScenarioRunner> runners, Consumer<Progress> progress) {
        this.runners = runners;
        this.progress = progress;
    }

    /** The program that a seed draws, as a scenario file. */
    public static String program(long seed) {
        return ProgramMaker.make(seed, COMMANDS).toPrettyString();
    }

    /**
     * Plays the programs of the seeds until one fails.
     *
     * @param to the last seed
     * @param minutes the longest time to begin another program in, or 0 for no limit
     */
    public Report run(long from, long to, double minutes) {
        long begin = System.nanoTime();
        long processor = processorNanos();
        long limit = minutes > 0 ? (long) (minutes * NANOS_PER_MINUTE) : Long.MAX_VALUE;
        long told = begin;
        long programs = 0;
        long commands = 0;
        ScenarioRunner runner = runners.get();
        try {
            long now = begin;
            for (long seed = from; now - begin < limit; seed++) {
                if (programs > 0 && programs % PROGRAMS_PER_SYSTEM == 0) {
                    runner.close();
                    runner = runners.get();
                }
                ObjectNode program = ProgramMaker.make(seed, COMMANDS);
                programs++;
                commands += commands(program);
                String failure = play(runner, program, seed);
                now = System.nanoTime();
                if (failure != null) {
                    // before shrinking, which is no exploring
                    double seconds = (now - begin) / NANOS_PER_SECOND;
                    double busy = (processorNanos() - processor) / NANOS_PER_SECOND;
                    return new Report(programs, commands, seconds, busy, shrink(program, seed, failure, runner));
                }
                if (now - told >= BETWEEN_PROGRESS_NANOS) {
                    told = now;
                    progress.accept(new Progress(seed, programs, (now - begin) / NANOS_PER_SECOND));
                }
                if (seed == to) {
                    break;
                }
            }
        } finally {
            runner.close();
        }
        double seconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
        return new Report(programs, commands, seconds, (processorNanos() - processor) / NANOS_PER_SECOND, null);
    }

    /** Processor time of all threads of the process; 0 where the JVM does not know. */
    private static long processorNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os
                ? Math.max(0, os.getProcessCpuTime())
                : 0;
    }

    private static long commands(JsonNode program) {
        long n = 0;
        for (JsonNode s : program.get("steps")) {
            n += s.has("steps") ? s.get("steps").size() : 1;
        }
        return n;
    }

    private static @Nullable String play(ScenarioRunner runner, JsonNode program, long seed) {
        try {
            return runner.play(ScenarioReader.parse(program.get("name").asText(), program), seed);
        } catch (RuntimeException e) {
            return "threw " + e;
        }
    }

    private Finding shrink(ObjectNode program, long seed, String failure, ScenarioRunner found) {
        String kind = kind(failure);
        Outcome drawn = new Outcome(failure, found.trace(), found.messages());
        program.put("seed", seed);
        boolean again = kind(alone(program, seed).message()).equals(kind);
        ObjectNode shortest =
                again ? new Shrinker(p -> kind(alone(p, seed).message()).equals(kind)).shrink(program) : program;
        Outcome last = again ? alone(shortest, seed) : drawn;
        String message = again ? last.message() : failure + " (not again in a system of its own)";
        shortest.put("about", "Found by the explorer with seed " + seed + ": " + message);
        return new Finding(
                seed,
                message,
                shortest.toPrettyString(),
                shortest.get("steps").size(),
                program.get("steps").size(),
                last.trace(),
                last.messages());
    }

    private record Outcome(String message, List<String> trace, List<String> messages) {}

    /** Plays in a system of its own, as the command line does. */
    private Outcome alone(JsonNode program, long seed) {
        try (ScenarioRunner runner = runners.get()) {
            String failure = play(runner, program, seed);
            return failure == null
                    ? new Outcome("", List.of(), List.of())
                    : new Outcome(failure, runner.trace(), runner.messages());
        }
    }

    /** What failed, so that a shorter program fails in the same way. */
    private static String kind(String failure) {
        Matcher m = LETTER.matcher(failure);
        if (m.find()) {
            return m.group(1);
        }
        return failure.isEmpty() ? "" : "other";
    }
}
