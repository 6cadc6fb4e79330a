package dev.baton.testkit.scenario;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.context.DeviceSettings;
import dev.baton.sim.SimSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads scenario files; an unknown key, step, callable or value is an error that names file, step and key. */
public final class ScenarioReader {
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(com.fasterxml.jackson.core.JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

    private static final Set<String> TOP = Set.of("name", "about", "device", "early", "explored", "steps", "seed");
    private static final Set<String> DEVICE = Set.of(
            "depth",
            "queue",
            "concurrentPrepare",
            "joinedLaunch",
            "memory",
            "closeMs",
            "callMs",
            "pendingCopies",
            "nonBlocking",
            "hostBuild",
            "hostView",
            "threadAttach",
            "cancelsBehindFailure",
            "resetProof");

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

    /** The keys that a step must and may have. */
    private record Keys(Set<String> required, Set<String> known, Set<String> knownInside) {
        static Keys of(String keys) {
            int bar = keys.indexOf('|');
            Set<String> required = words(keys.substring(0, bar));
            Set<String> known = new HashSet<>(Set.of("do", "expect"));
            known.addAll(required);
            known.addAll(words(keys.substring(bar + 1)));
            Set<String> inside = new HashSet<>(known);
            inside.addAll(Set.of("client", "after"));
            return new Keys(required, Set.copyOf(known), Set.copyOf(inside));
        }

        private static Set<String> words(String text) {
            String trimmed = text.trim();
            return trimmed.isEmpty() ? Set.of() : new LinkedHashSet<>(List.of(trimmed.split(" ")));
        }
    }

    private static final Map<String, Keys> KEYS =
            STEPS.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, e -> Keys.of(e.getValue())));

    private static final Set<String> CALLABLES =
            Set.of("fill", "copy", "add_const", "scale", "add", "inc", "accumulate");
    private static final Set<String> HOLDS = Set.of("build", "prepare", "launch", "execute", "finalize");
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
        return new Scenario(
                source,
                top.get("name").asText(),
                checked(d),
                top.path("early").asBoolean(false),
                top.path("explored").asBoolean(false),
                top.has("seed") ? number(top, "seed", 0) : null,
                steps(top.get("steps"), ""));
    }

    private Scenario.DeviceSpec checked(JsonNode d) {
        try {
            return device(d);
        } catch (IllegalArgumentException e) {
            throw new ScenarioError(source + ": device: " + e.getMessage());
        }
    }

    private Scenario.DeviceSpec device(JsonNode d) {
        boolean concurrentPrepare = flag(d, "concurrentPrepare", true);
        boolean attach = flag(d, "threadAttach", false);
        SimSettings sim = SimSettings.defaults()
                .memory(number(d, "memory", 16777216))
                .concurrentPrepare(concurrentPrepare)
                .joinedLaunch(flag(d, "joinedLaunch", true) && concurrentPrepare)
                .nonBlocking(flag(d, "nonBlocking", false))
                .hostBuild(flag(d, "hostBuild", true))
                .hostView(flag(d, "hostView", true))
                .threadAttach(attach)
                .cancelsBehindFailure(flag(d, "cancelsBehindFailure", false))
                .resetProof(flag(d, "resetProof", true));
        DeviceSettings settings = Stage.settings(
                        number(d, "depth", 2).intValue(), number(d, "queue", 64).intValue())
                .withPendingCopies(number(d, "pendingCopies", 1024).intValue())
                .withCloseTimeout(d.has("closeMs") ? Duration.ofMillis(number(d, "closeMs", 0)) : null)
                .withCallLimit(d.has("callMs") ? Duration.ofMillis(number(d, "callMs", 0)) : null);
        // an attached thread must be the actor's own
        return new Scenario.DeviceSpec(
                sim,
                attach ? settings.withDispatchers(settings.deviceDispatcher(), World.PINNED_DISPATCHER) : settings);
    }

    private boolean flag(JsonNode d, String key, boolean otherwise) {
        JsonNode n = d.path(key);
        if (!n.isMissingNode() && !n.isBoolean()) {
            throw new ScenarioError(source + ": key " + key + " is neither true nor false");
        }
        return n.asBoolean(otherwise);
    }

    private Long number(JsonNode d, String key, long otherwise) {
        JsonNode n = d.path(key);
        if (n.isMissingNode()) {
            return otherwise;
        }
        if (!n.isIntegralNumber()) {
            throw new ScenarioError(source + ": key " + key + " is no whole number");
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

    private Scenario.Step step(String number, JsonNode node, boolean inner) {
        String what = node.path("do").asText("");
        String where = "step " + number + " (" + what + ")";
        Keys keys = KEYS.get(what);
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
