package dev.baton.testkit.runtime;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;

/** Random priorities by label, with rare changes. */
final class PriorityChoice implements Choice {
    private final double changeProbability;
    private final Map<String, Long> priorities = new HashMap<>();
    private long lowest;

    PriorityChoice(double changeProbability) {
        this.changeProbability = changeProbability;
    }

    @Override
    public int pick(SeededRandom random, int count, IntFunction<String> labels) {
        int best = 0;
        long highest = Long.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            // drawn priorities are positive, those of labels that fell are negative and each lower than the last
            long priority = priorities.computeIfAbsent(labels.apply(i), l -> random.next() >>> 1);
            if (priority > highest) {
                highest = priority;
                best = i;
            }
        }
        if (random.chance(changeProbability)) {
            priorities.put(labels.apply(best), --lowest);
        }
        return best;
    }
}
