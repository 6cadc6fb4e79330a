package dev.baton.testkit.explore;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.testkit.scenario.ScenarioReader;
import dev.baton.testkit.scenario.ScenarioRunner;
import java.util.Collections;
import java.util.List;
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
    /** So many programs share one actor system; a system keeps a little of each. */
    private static final int PROGRAMS_PER_SYSTEM = 2_000;

    private final java.util.function.Supplier<ScenarioRunner> runners;

    /** Explores Baton as it is. */
    public Explorer() {
        this(ScenarioRunner::new);
    }

    /** Explores with runners of one's own, for example such that break something on purpose. */
    public Explorer(java.util.function.Supplier<ScenarioRunner> runners) {
        this.runners = runners;
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
        long limit = minutes > 0 ? (long) (minutes * NANOS_PER_MINUTE) : Long.MAX_VALUE;
        long programs = 0;
        long commands = 0;
        Finding finding = null;
        ScenarioRunner runner = runners.get();
        try {
            for (long seed = from; seed <= to && finding == null && System.nanoTime() - begin < limit; seed++) {
                if (programs > 0 && programs % PROGRAMS_PER_SYSTEM == 0) {
                    runner.close();
                    runner = runners.get();
                }
                ObjectNode program = ProgramMaker.make(seed, COMMANDS);
                programs++;
                commands += commands(program);
                String failure = play(runner, program, seed);
                if (failure != null) {
                    finding = shrink(program, seed, failure);
                }
            }
        } finally {
            runner.close();
        }
        return new Report(programs, commands, (System.nanoTime() - begin) / NANOS_PER_SECOND, finding);
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

    private Finding shrink(ObjectNode program, long seed, String failure) {
        String kind = kind(failure);
        ObjectNode shortest = new Shrinker(p -> kind(alone(p, seed).message()).equals(kind)).shrink(program);
        Outcome last = alone(shortest, seed);
        String message = last.message().isEmpty() ? failure : last.message();
        shortest.put("about", "Found by the explorer with seed " + seed + ": " + message);
        return new Finding(
                seed,
                message,
                shortest.toPrettyString(),
                shortest.get("steps").size(),
                program.get("steps").size(),
                last.trace());
    }

    private record Outcome(String message, List<String> trace) {}

    /** Plays in a system of its own, as the command line does. */
    private Outcome alone(JsonNode program, long seed) {
        try (ScenarioRunner runner = runners.get()) {
            String failure = play(runner, program, seed);
            return new Outcome(
                    failure == null ? "" : failure, failure == null ? Collections.emptyList() : runner.trace());
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
