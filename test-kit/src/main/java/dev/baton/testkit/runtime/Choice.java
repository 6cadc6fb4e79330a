package dev.baton.testkit.runtime;

import java.util.function.IntFunction;

/**
 * How the runtime chooses among what can go on. It must draw nothing but from the generator it is given, and remember nothing from
 * one program to the next: an instance serves one program.
 */
@FunctionalInterface
public interface Choice {
    /**
     * The index of what goes on next.
     *
     * @param random the program's generator
     * @param count how many can go on; at least 1
     * @param labels the label of each, by index: sorted, ready steps before waits
     * @return from 0 to {@code count - 1}
     */
    int pick(SeededRandom random, int count, IntFunction<String> labels);

    /** Each with the same probability. */
    static Choice uniform() {
        return (random, count, labels) -> count == 1 ? 0 : random.below(count);
    }

    /**
     * By priority: each label gets one at random when it is first seen, the highest goes on, and now and then the highest loses it.
     * Finds what needs an actor to be starved for long, which even odds hardly ever give (after Burckhardt et al., "A Randomized
     * Scheduler with Probabilistic Guarantees of Finding Bugs", 2010, without its bound on the number of changes).
     *
     * @param changeProbability probability at each step that the highest falls below all others; 0.01 is a good start
     */
    static Choice byPriority(double changeProbability) {
        return new PriorityChoice(changeProbability);
    }
}
