package dev.baton.testkit.scenario;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads scenario files; an unknown key, step, callable or value is an error that names file, step and key. */
public final class ScenarioReader {
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(com.fasterxml.jackson.core.JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

    private final String source;

    private ScenarioReader(String source) {
        this.source = source;
    }

    /** Reads a file. */
    public static Scenario read(Path file) {
        try {
            return parse(file.getFileName().toString(), Files.readString(file));
        } catch (IOException e) {
            throw new ScenarioError(file + ": can't be read: " + e.getMessage());
        }
    }

    /** Reads a text. */
    public static Scenario parse(String source, String text) {
        try {
            return new ScenarioReader(source).scenario(JSON.readTree(text));
        } catch (JsonProcessingException e) {
            throw new ScenarioError(source + ": is no JSON: " + e.getOriginalMessage() + " at line "
                    + e.getLocation().getLineNr());
        }
    }

    /** Reads a tree. */
    public static Scenario parse(String source, JsonNode top) {
        return new ScenarioReader(source).scenario(top);
    }

    private Scenario scenario(JsonNode top) {
        if (!top.isObject()) {
            throw new ScenarioError(source + ": a scenario is a JSON object");
        }
        keys(top, Format.TOP, "top level");
        if (!top.path("name").isTextual()) {
            throw new ScenarioError(source + ": key name is missing or no text");
        }
        JsonNode d = top.path("device");
        if (!d.isMissingNode()) {
            keys(d, Format.DEVICE, "device");
        }
        if (!top.path("steps").isArray()) {
            throw new ScenarioError(source + ": key steps is missing or no list");
        }
        return new Scenario(
                source,
                top.get("name").asText(),
                new DeviceReader(source).read(d),
                top.path("early").asBoolean(false),
                top.path("explored").asBoolean(false),
                top.has("seed") ? new DeviceReader(source).number(top, "seed", 0) : null,
                steps(top.get("steps"), ""));
    }

    private List<Scenario.Step> steps(JsonNode list, String prefix) {
        List<Scenario.Step> steps = new ArrayList<>();
        int n = 0;
        for (JsonNode node : list) {
            n++;
            steps.add(step(prefix + n, node, !prefix.isEmpty()));
        }
        return steps;
    }

    private Scenario.Step step(String number, JsonNode node, boolean inner) {
        String what = node.path("do").asText("");
        String where = "step " + number + " (" + what + ")";
        Format.Keys keys = Format.KEYS.get(what);
        if (keys == null) {
            throw new ScenarioError(source + ": step " + number + ": unknown step '" + what + "' at key do");
        }
        for (String k : keys.required()) {
            if (!node.has(k)) {
                throw new ScenarioError(source + ": " + where + ": key " + k + " is missing");
            }
        }
        keys(node, inner ? keys.knownInside() : keys.known(), where);
        details(where, what, node);
        List<Scenario.Step> steps = what.equals("together") ? steps(node.get("steps"), number + ".") : List.of();
        return new Scenario.Step(number, what, node, steps);
    }

    private void details(String where, String what, JsonNode node) {
        switch (what) {
            case "submit" -> submit(where, node);
            case "await" -> {
                oneOf(where, "until", node.path("until"), Format.UNTIL);
                either(where, node, "run", "reply");
            }
            case "pending", "go" -> either(where, node, "run", "reply");
            case "read" -> oneOf(where, "when", node.path("when"), Set.of("now", "produced"));
            case "free" -> oneOf(where, "when", node.path("when"), Set.of("now", "idle"));
            case "fault" -> oneOf(where, "on", node.path("on"), Format.FAULTS);
            case "crash" -> {
                String actor = node.get("actor").asText();
                if (!actor.startsWith("slot:")
                        && !Set.of("lane", "ledger", "context", "io").contains(actor)) {
                    throw new ScenarioError(source + ": " + where + ": unknown actor '" + actor + "' at key actor");
                }
            }
            default -> {
                // its keys are all there is to check
            }
        }
    }

    private void submit(String where, JsonNode node) {
        oneOf(where, "call", node.get("call"), Format.CALLABLES);
        for (JsonNode a : node.get("args")) {
            keys(a, Format.ARGUMENT, where + ", key args");
        }
        for (JsonNode h : node.path("hold")) {
            oneOf(where, "hold", h, Format.HOLDS);
        }
        for (JsonNode s : node.path("signature")) {
            oneOf(where, "signature", s, Set.of("IN", "OUT", "INOUT", "SCALAR"));
        }
        Iterator<Map.Entry<String, JsonNode>> fails = node.path("fail").fields();
        while (fails.hasNext()) {
            Map.Entry<String, JsonNode> f = fails.next();
            Set<String> faults = Format.FAILS.get(f.getKey());
            if (faults == null) {
                throw new ScenarioError(source + ": " + where + ": unknown point '" + f.getKey() + "' at key fail");
            }
            oneOf(where, "fail." + f.getKey(), f.getValue(), faults);
        }
        operations(where, node.path("build"));
    }

    private void operations(String where, JsonNode list) {
        for (JsonNode op : list) {
            keys(op, Format.OPERATION, where + ", key build");
            operations(where, op.path("during"));
        }
    }

    private void either(String where, JsonNode node, String a, String b) {
        if (node.has(a) == node.has(b)) {
            throw new ScenarioError(
                    source + ": " + where + ": exactly one of the keys " + a + " and " + b + " is needed");
        }
    }

    private void oneOf(String where, String key, @Nullable JsonNode value, Set<String> allowed) {
        if (value != null && !value.isMissingNode() && !allowed.contains(value.asText())) {
            throw new ScenarioError(source + ": " + where + ": unknown value '" + value.asText() + "' at key " + key
                    + "; one of " + allowed.stream().sorted().toList());
        }
    }

    private void keys(JsonNode node, Set<String> allowed, String where) {
        Iterator<String> names = node.fieldNames();
        while (names.hasNext()) {
            String k = names.next();
            if (!allowed.contains(k)) {
                throw new ScenarioError(source + ": " + where + ": unknown key '" + k + "'");
            }
        }
    }
}
