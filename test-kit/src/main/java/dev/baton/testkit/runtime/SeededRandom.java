package dev.baton.testkit.runtime;

/**
 * A small fast generator (SplitMix64) that gives the same numbers for a seed on every JDK. For one thread at a time.
 */
public final class SeededRandom {
    private long state;

    /** Starts the sequence of that seed. */
    public SeededRandom(long seed) {
        this.state = seed;
    }

    /** 64 random bits. */
    public long next() {
        long z = state += 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** A number from 0 to {@code bound - 1}; the bound is positive. */
    public int below(int bound) {
        return (int) (((next() >>> 33) * bound) >>> 31);
    }

    /** True with that probability. */
    public boolean chance(double probability) {
        return (next() >>> 11) * 0x1.0p-53 < probability;
    }
}
