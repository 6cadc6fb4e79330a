package dev.baton.testkit.explore;

import java.util.List;
import java.util.SplittableRandom;

/** Draws of one program, the same for the same seed on every machine. */
final class Dice {
    private final SplittableRandom random;

    Dice(long seed) {
        random = new SplittableRandom(seed);
    }

    /** From 0 to below the bound. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    /** From a to b, both included. */
    int between(int a, int b) {
        return a + random.nextInt(b - a + 1);
    }

    /** True so often in a hundred. */
    boolean percent(int chance) {
        return random.nextInt(100) < chance;
    }

    <T> T of(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
