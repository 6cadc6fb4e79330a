package dev.baton.testkit.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.context.DeviceSettings;
import dev.baton.sim.SimSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One scenario file, checked against the format.
 *
 * @param source where it came from, for messages
 * @param name shown by the runner
 * @param early whether timers may also fire early
 * @param explored whether the steps carry no expectations: then those that name what doesn't exist are left out, and after the last
 *     one everything that is owed must be answered
 * @param seed the seed to play it with unless another is asked for, or null: a file that the explorer saved carries its own
 * @param steps in order
 */
public record Scenario(
        String source,
        String name,
        DeviceSpec device,
        boolean early,
        boolean explored,
        @Nullable Long seed,
        List<Step> steps) {

    /** The device of a scenario: the simulated one, and Baton's settings for it. */
    public record DeviceSpec(SimSettings sim, DeviceSettings settings) {}

    /**
     * One step.
     *
     * @param number counted from 1, or "4.2" inside a together
     * @param inner the steps of a together, else none
     */
    public record Step(String number, String what, JsonNode node, List<Step> inner) {
        boolean has(String key) {
            return node.has(key);
        }

        String text(String key) {
            return node.get(key).asText();
        }

        @Nullable
        String as() {
            return node.has("as") ? node.get("as").asText() : null;
        }
    }
}
