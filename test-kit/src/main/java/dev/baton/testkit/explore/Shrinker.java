package dev.baton.testkit.explore;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Predicate;

/** Makes a failing program shorter: leaves out steps, in ever smaller chunks, as long as it fails in the same way. */
final class Shrinker {
    private static final List<String> OPTIONAL =
            List.of("fail", "hold", "build", "held", "exclusive", "dispatch", "lease", "queueMs", "runMs");

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
        return simpler(best);
    }

    /** Leaves out steps of a together and keys that need not be there. */
    private ObjectNode simpler(ObjectNode program) {
        ObjectNode best = program;
        for (int i = 0; i < best.get("steps").size(); i++) {
            for (int j = best.get("steps").get(i).path("steps").size() - 1; j >= 0; j--) {
                ObjectNode shorter = best.deepCopy();
                ((ArrayNode) shorter.get("steps").get(i).get("steps")).remove(j);
                best = fails.test(shorter) ? shorter : best;
            }
            for (String key : OPTIONAL) {
                if (best.get("steps").get(i).has(key)) {
                    ObjectNode shorter = best.deepCopy();
                    ((ObjectNode) shorter.get("steps").get(i)).remove(key);
                    best = fails.test(shorter) ? shorter : best;
                }
            }
        }
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
