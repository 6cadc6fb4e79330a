package dev.baton.testkit.runtime;

import java.util.function.IntFunction;

/**
 * What a seed decides, and the account of it: one program, begun anew for each seed. Touched only by the thread that has the turn.
 */
final class Program {
    private final RuntimeOptions options;
    private final Trace trace;
    private SeededRandom random;
    private Choice choice;
    private long seed;
    private boolean early;
    private boolean ordered;
    private long steps;
    private int stepsSinceRest;

    Program(long seed, RuntimeOptions options) {
        this.options = options;
        this.trace = new Trace(options.recordTrace());
        this.seed = seed;
        this.random = new SeededRandom(seed);
        this.choice = options.choice().get();
        this.early = true;
    }

    void begin(long programSeed, boolean earlyTimers) {
        seed = programSeed;
        random = new SeededRandom(programSeed);
        choice = options.choice().get();
        early = earlyTimers;
        steps = 0;
        stepsSinceRest = 0;
        trace.clear();
    }

    long seed() {
        return seed;
    }

    boolean early() {
        return early;
    }

    /**
     * While systems start and end, everything runs in the order in which it became ready, unrecorded: Pekko's own order there depends
     * on hash codes, and is no part of the program.
     */
    void ordered(boolean on) {
        ordered = on;
    }

    /** Whether the seed has a say. */
    boolean chaotic() {
        return !ordered && options.chaos();
    }

    /** Whether the next due thing comes now although work is ready. */
    boolean comesEarly(VirtualClock clock) {
        if (!chaotic() || !early || options.earlyTimers() == 0) {
            return false;
        }
        long next = clock.nextNanos();
        return next != VirtualClock.NEVER
                && next - clock.absoluteNanos() <= options.horizon().toNanos()
                && random.chance(options.earlyTimers());
    }

    int pick(int count, IntFunction<String> labels) {
        int picked = choice.pick(random, count, labels);
        if (picked < 0 || picked >= count) {
            throw new IllegalStateException("choice=" + picked + " of " + count);
        }
        return picked;
    }

    void took(char kind, String label) {
        if (!ordered) {
            trace.add(kind, label);
        }
    }

    void moved(VirtualClock clock) {
        if (!ordered) {
            trace.time(clock.nowNanos());
        }
    }

    /** One more step without rest. */
    void count() {
        steps++;
        if (++stepsSinceRest > options.maxStepsToRest()) {
            stepsSinceRest = 0;
            throw new IllegalStateException("no rest within " + options.maxStepsToRest() + " steps, seed " + seed
                    + "; the last: " + trace.tail());
        }
    }

    void rested() {
        stepsSinceRest = 0;
    }

    long steps() {
        return steps;
    }

    Trace trace() {
        return trace;
    }
}
