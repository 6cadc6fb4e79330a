package dev.baton.testkit.scenario;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The words of the scenario format: docs/scenarios.md as tables. */
final class Format {
    static final Set<String> TOP = Set.of("name", "about", "device", "early", "explored", "steps", "seed");
    static final Set<String> DEVICE = Set.of(
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
    static final Map<String, String> STEPS = Map.ofEntries(
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
    record Keys(Set<String> required, Set<String> known, Set<String> knownInside) {
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

    static final Map<String, Keys> KEYS =
            STEPS.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, e -> Keys.of(e.getValue())));

    static final Set<String> CALLABLES = Set.of("fill", "copy", "add_const", "scale", "add", "inc", "accumulate");
    /** A point of our own: the copying back of a run's first host buffer. */
    static final String COPY_BACK = "copyback";

    static final Set<String> HOLDS = Set.of("build", "prepare", "launch", "execute", "finalize", COPY_BACK);
    static final Map<String, Set<String>> FAILS = Map.of(
            "prepare", Set.of("error", "incompatible"),
            "cleanup", Set.of("error"),
            "launch", Set.of("error"),
            "execute", Set.of("error", "hang"),
            "poll", Set.of("error"),
            "finalize", Set.of("error"));
    static final Set<String> FAULTS = Set.of("free", "alloc", "read", "write", "declare", "reset");
    static final Set<String> UNTIL = Set.of("admitted", "prepared", "deferred", "launched", "executed", "finished");
    static final Set<String> ARGUMENT = Set.of("in", "out", "inout", "scalar", "at", "count");
    static final Set<String> OPERATION = Set.of(
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

    private Format() {}
}
