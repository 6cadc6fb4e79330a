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
 * @param messages the last messages of its actors and clients, and its steps, oldest first
 */
public record Finding(
        long seed,
        String message,
        String scenario,
        int steps,
        int stepsDrawn,
        List<String> trace,
        List<String> messages) {
    public Finding {
        trace = List.copyOf(trace);
        messages = List.copyOf(messages);
    }

    /** The name of the file for it: says which seed. */
    public String fileName() {
        return "explored-" + seed + ".json";
    }
}
