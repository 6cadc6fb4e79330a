package dev.baton.testkit.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Which steps of an explored program make sense now: shrinking deletes steps that others name, and what was drawn may not exist. */
final class Names {
    private static final List<String> ROLES = List.of("in", "out", "inout");

    private Names() {}

    /** Whether all that the step names exists. */
    static boolean known(World world, Scenario.Step s) {
        JsonNode n = s.node();
        for (String key : List.of("buffer", "from", "to")) {
            if (n.has(key) && !buffer(world, n.get(key).asText(), false)) {
                return false;
            }
        }
        if (n.has("after") && !world.runs.containsKey(n.get("after").asText())) {
            return false;
        }
        if (n.has("lease") && !world.leases.containsKey(n.get("lease").asText())) {
            return false;
        }
        if (n.has("run") && !world.runs.containsKey(n.get("run").asText())) {
            return false;
        }
        if (n.has("reply") && !world.replies.containsKey(n.get("reply").asText())) {
            return false;
        }
        if (n.has("actor")
                && n.get("actor").asText().startsWith("slot:")
                && !world.runs.containsKey(n.get("actor").asText().substring("slot:".length()))) {
            return false;
        }
        return arguments(world, n.path("args")) && build(world, n.path("build"));
    }

    private static boolean arguments(World world, JsonNode args) {
        for (JsonNode a : args) {
            for (String role : ROLES) {
                JsonNode what = a.path(role);
                if (what.isTextual() && !buffer(world, what.asText(), false)
                        || what.has("rawOf") && !buffer(world, what.get("rawOf").asText(), true)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean build(World world, JsonNode operations) {
        for (JsonNode op : operations) {
            if (op.has("free") && !buffer(world, op.get("free").asText(), false)) {
                return false;
            }
        }
        return true;
    }

    private static boolean buffer(World world, String name, boolean foreign) {
        World.Buffer b = world.buffers.get(name);
        return b != null && (foreign ? b.address() != 0 : b.handle() != null);
    }
}
