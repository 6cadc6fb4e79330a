package dev.baton.testkit.explore;

import java.util.List;

/**
 * A program that breaks an invariant.
 *
 * @param seed which drew it, and chooses the order in its play
 * @param message the step and what did not hold, of the shortest program
 * @param scenario the shortest program that still fails, as a scenario file
 * @param steps how many steps that has
 * @param stepsDrawn how many the drawn program had
 * @param trace the last things that its actors did
 */
public record Finding(long seed, String message, String scenario, int steps, int stepsDrawn, List<String> trace) {
    public Finding {
        trace = List.copyOf(trace);
    }
}
