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

    private static final Set<String> TOP = Set.of("name", "about", "device", "early", "explored", "steps", "seed");
    private static final Set<String> DEVICE = Set.of(
            "depth", "queue", "concurrentPrepare", "joinedLaunch", "memory", "closeMs", "callMs", "pendingCopies");

    /** Keys of each step besides do and expect: required ones first, after a bar the optional ones. */
    private static final Map<String, String> STEPS = Map.ofEntries(
            Map.entry("alloc", "as | bytes f32 foreign host hold"),
            Map.entry("write", "buffer f32 | at as hold"),
            Map.entry("read", "buffer | at count when as hold"),
            Map.entry("free", "buffer | at when as hold"),
            Map.entry("revalidate", "buffer | as"),
            Map.entry("submit", "as call args | signature held exclusive queueMs runMs dispatch lease build hold fail"),
            Map.entry("activate", "run | as"),
            Map.entry("abandon", "run | as"),
            Map.entry("await", " | run until reply"),
            Map.entry("pending", " | run reply"),
            Map.entry("go", " | run at reply"),
            Map.entry("advance", "ms | "),
            Map.entry("together", "steps | "),
            Map.entry("status", " | "),
            Map.entry("log", " | "),
            Map.entry("order", " | "),
            Map.entry("fault", "on | times"),
            Map.entry("crash", "actor | "),
            Map.entry("fill", "buffer value | at count as hold"),
            Map.entry("copy", "from to | at count toAt as hold"),
            Map.entry("drain", " | as"),
            Map.entry("close", " | as"),
            Map.entry("reset", " | as hold"),
            Map.entry("lease", "as slot | "),
            Map.entry("unlease", "lease | as"));

    private static final Set<String> CALLABLES =
            Set.of("fill", "copy", "add_const", "scale", "add", "inc", "accumulate");
    private static final Set<String> HOLDS =
            Set.of("build", "prepare", "launch", "execute", "finalize", Sender.COPY_BACK);
    private static final Map<String, Set<String>> FAILS = Map.of(
            "prepare", Set.of("error", "incompatible"),
            "cleanup", Set.of("error"),
            "launch", Set.of("error"),
            "execute", Set.of("error", "hang"),
            "poll", Set.of("error"),
            "finalize", Set.of("error"));
    private static final Set<String> FAULTS = Set.of("free", "alloc", "read", "write", "declare", "reset");
    private static final Set<String> UNTIL =
            Set.of("admitted", "prepared", "deferred", "launched", "executed", "finished");
    private static final Set<String> ARGUMENT = Set.of("in", "out", "inout", "scalar", "at", "count");
    private static final Set<String> OPERATION = Set.of(
            "read",
            "write",
            "add",
            "as",
            "scalarFrom",
            "arg",
            "fail",
            "throw",
            "free",
            "when",
            "hold",
            "during",
            "attempt");

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
        keys(top, TOP, "top level");
        if (!top.path("name").isTextual()) {
            throw new ScenarioError(source + ": key name is missing or no text");
        }
        JsonNode d = top.path("device");
        if (!d.isMissingNode()) {
            keys(d, DEVICE, "device");
        }
        if (!top.path("steps").isArray()) {
            throw new ScenarioError(source + ": key steps is missing or no list");
        }
        Scenario.DeviceSpec device = new Scenario.DeviceSpec(
                number(d, "depth", 2).intValue(),
                number(d, "queue", 64).intValue(),
                d.path("concurrentPrepare").asBoolean(true),
                d.path("joinedLaunch").asBoolean(true),
                number(d, "memory", 16777216),
                d.has("closeMs") ? number(d, "closeMs", 0) : null,
                d.has("callMs") ? number(d, "callMs", 0) : null,
                number(d, "pendingCopies", 1024).intValue());
        return new Scenario(
                source,
                top.get("name").asText(),
                device,
                top.path("early").asBoolean(false),
                top.path("explored").asBoolean(false),
                steps(top.get("steps"), ""));
    }

    private Long number(JsonNode d, String key, long otherwise) {
        JsonNode n = d.path(key);
        if (n.isMissingNode()) {
            return otherwise;
        }
        if (!n.isIntegralNumber()) {
            throw new ScenarioError(source + ": device: key " + key + " is no whole number");
        }
        return n.asLong();
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

    /** The steps inside a together. */
    List<Scenario.Step> inner(Scenario.Step together) {
        return steps(together.node().get("steps"), together.number() + ".");
    }

    static List<Scenario.Step> inner(Scenario scenario, Scenario.Step together) {
        return new ScenarioReader(scenario.source()).inner(together);
    }

    private Scenario.Step step(String number, JsonNode node, boolean inner) {
        String what = node.path("do").asText("");
        String where = "step " + number + " (" + what + ")";
        String keys = STEPS.get(what);
        if (keys == null) {
            throw new ScenarioError(source + ": step " + number + ": unknown step '" + what + "' at key do");
        }
        int bar = keys.indexOf('|');
        Set<String> known = new java.util.HashSet<>(Set.of("do", "expect"));
        for (String k : keys.substring(0, bar).trim().split(" ")) {
            if (!k.isEmpty() && !node.has(k)) {
                throw new ScenarioError(source + ": " + where + ": key " + k + " is missing");
            }
            known.add(k);
        }
        known.addAll(List.of(keys.substring(bar + 1).trim().split(" ")));
        if (inner) {
            known.add("client");
            known.add("after");
        }
        keys(node, known, where);
        details(where, what, node, number);
        return new Scenario.Step(number, what, node);
    }

    private void details(String where, String what, JsonNode node, String number) {
        switch (what) {
            case "submit" -> submit(where, node);
            case "await" -> {
                oneOf(where, "until", node.path("until"), UNTIL);
                either(where, node, "run", "reply");
            }
            case "pending", "go" -> either(where, node, "run", "reply");
            case "read" -> oneOf(where, "when", node.path("when"), Set.of("now", "produced"));
            case "free" -> oneOf(where, "when", node.path("when"), Set.of("now", "idle"));
            case "fault" -> oneOf(where, "on", node.path("on"), FAULTS);
            case "crash" -> {
                String actor = node.get("actor").asText();
                if (!actor.startsWith("slot:")
                        && !Set.of("lane", "ledger", "context", "io").contains(actor)) {
                    throw new ScenarioError(source + ": " + where + ": unknown actor '" + actor + "' at key actor");
                }
            }
            case "together" -> steps(node.get("steps"), number + ".");
            default -> {
                // its keys are all there is to check
            }
        }
    }

    private void submit(String where, JsonNode node) {
        oneOf(where, "call", node.get("call"), CALLABLES);
        for (JsonNode a : node.get("args")) {
            keys(a, ARGUMENT, where + ", key args");
        }
        for (JsonNode h : node.path("hold")) {
            oneOf(where, "hold", h, HOLDS);
        }
        for (JsonNode s : node.path("signature")) {
            oneOf(where, "signature", s, Set.of("IN", "OUT", "INOUT", "SCALAR"));
        }
        Iterator<Map.Entry<String, JsonNode>> fails = node.path("fail").fields();
        while (fails.hasNext()) {
            Map.Entry<String, JsonNode> f = fails.next();
            Set<String> faults = FAILS.get(f.getKey());
            if (faults == null) {
                throw new ScenarioError(source + ": " + where + ": unknown point '" + f.getKey() + "' at key fail");
            }
            oneOf(where, "fail." + f.getKey(), f.getValue(), faults);
        }
        operations(where, node.path("build"));
    }

    private void operations(String where, JsonNode list) {
        for (JsonNode op : list) {
            keys(op, OPERATION, where + ", key build");
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
