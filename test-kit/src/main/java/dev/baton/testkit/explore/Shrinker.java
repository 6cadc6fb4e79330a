package dev.baton.testkit.explore;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Predicate;

/** Makes a failing program shorter: leaves out steps, in ever smaller chunks, as long as it fails in the same way. */
final class Shrinker {
    private final Predicate<ObjectNode> fails;

    Shrinker(Predicate<ObjectNode> fails) {
        this.fails = fails;
    }

    ObjectNode shrink(ObjectNode program) {
        ObjectNode best = program;
        int before;
        do {
            before = best.get("steps").size();
            for (int chunk = Math.max(1, before / 2); chunk > 0; chunk /= 2) {
                best = without(best, chunk);
            }
        } while (best.get("steps").size() < before);
        return best;
    }

    private ObjectNode without(ObjectNode program, int chunk) {
        ObjectNode best = program;
        for (int at = best.get("steps").size() - chunk; at >= 0; at -= chunk) {
            ObjectNode shorter = best.deepCopy();
            ArrayNode steps = (ArrayNode) shorter.get("steps");
            for (int i = 0; i < chunk; i++) {
                steps.remove(at);
            }
            if (fails.test(shorter)) {
                best = shorter;
            }
        }
        return best;
    }
}
