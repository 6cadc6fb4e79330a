package dev.baton.testkit.explore;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Draws the program of one seed: a scenario without expectations. */
final class ProgramMaker {
    private static final List<String> FAULTS = List.of("free", "alloc", "read", "write", "declare", "reset");
    private static final List<String> ACTORS = List.of("lane", "ledger", "context", "io");
    /** What a step is, as often as it stands here. */
    private static final List<String> MENU = menu(
            "submit 34 free 8 read 9 write 6 copy 5 fill 3 go 12 alloc 4 abandon 3 activate 4 revalidate 2 lease 2 unlease 1"
                    + " advance 3 fault 2 crash 1 reset 1 drain 1 close 1");

    private static final List<String> TOGETHER = menu("submit 9 free 3 read 4 write 2 copy 2 abandon 1 go 2");

    private final JsonNodeFactory json = JsonNodeFactory.instance;
    private final Dice dice;
    private final Names names = new Names();
    private final RunMaker runs;
    private final boolean hostile;
    private boolean closes;

    private ProgramMaker(long seed) {
        this.dice = new Dice(seed);
        this.hostile = dice.percent(60);
        this.runs = new RunMaker(dice, names, hostile);
    }

    /** Names that steps so far made. */
    static final class Names {
        final List<String> buffers = new ArrayList<>();
        /** Memory from elsewhere that is there now. */
        final List<String> foreign = new ArrayList<>();
        /** Buffers that no step frees, so that their raw address means something until a reset. */
        final List<String> pinned = new ArrayList<>();

        final List<String> freeable = new ArrayList<>();
        final List<String> runs = new ArrayList<>();
        final List<String> held = new ArrayList<>();
        final List<String> leases = new ArrayList<>();
        /** Steps that let something held go on. */
        final List<ObjectNode> gates = new ArrayList<>();

        int last;
    }

    private static List<String> menu(String weights) {
        List<String> list = new ArrayList<>();
        String[] words = weights.split(" ");
        for (int i = 0; i < words.length; i += 2) {
            for (int n = Integer.parseInt(words[i + 1]); n > 0; n--) {
                list.add(words[i]);
            }
        }
        return List.copyOf(list);
    }

    /** The program of a seed. */
    static ObjectNode make(long seed, int commands) {
        return new ProgramMaker(seed).program(seed, commands);
    }

    private ObjectNode program(long seed, int commands) {
        ObjectNode top = json.objectNode();
        top.put("name", "explored-" + seed);
        top.put("explored", true);
        ObjectNode device = top.putObject("device");
        device.put("depth", dice.between(1, 4));
        device.put("queue", dice.below(7));
        device.put("concurrentPrepare", dice.percent(80));
        device.put("joinedLaunch", dice.percent(75));
        device.put("memory", dice.percent(20) ? 1024 : 65536);
        if (dice.percent(20)) {
            device.put("pendingCopies", dice.between(1, 4));
        }
        // a close without a limit waits for ever for a run that hangs, and nothing but time ends it
        closes = hostile && dice.percent(60);
        if (closes) {
            device.put("closeMs", dice.between(10, 500));
        }
        if (hostile && dice.percent(25)) {
            device.put("callMs", dice.between(10, 500));
        }
        top.put("early", dice.percent(10));
        ArrayNode steps = top.putArray("steps");
        for (int i = dice.between(4, 6); i > 0; i--) {
            steps.add(alloc(i % 4 == 0));
        }
        steps.add(foreign());
        int sent = 0;
        while (sent < commands) {
            if (dice.percent(12)) {
                ObjectNode together = step("together");
                ArrayNode inner = together.putArray("steps");
                int n = dice.between(2, 5);
                for (int i = 0; i < n; i++) {
                    ObjectNode s = make(dice.of(TOGETHER));
                    inner.add((s.get("do").asText().equals("advance") ? make("read") : s)
                            .put("client", "c" + dice.below(2)));
                }
                steps.add(together);
                sent += n;
            } else {
                steps.add(make(dice.of(MENU)));
                sent++;
            }
        }
        return top;
    }

    private ObjectNode step(String what) {
        return json.objectNode().put("do", what);
    }

    private ObjectNode make(String what) {
        return switch (what) {
            case "submit" -> runs.submit();
            case "free" -> free();
            case "read" -> ranged(step("read").put("when", dice.percent(50) ? "produced" : "now"), 25);
            case "write" -> write();
            case "copy" -> copy();
            case "fill" -> ranged(step("fill").put("value", dice.between(1, 9)), 15);
            case "alloc" -> alloc(dice.percent(20));
            case "go" -> go();
            case "activate", "abandon" ->
                step(what).put("run", run(what.equals("activate") && !names.held.isEmpty() ? names.held : names.runs));
            case "revalidate" -> step("revalidate").put("buffer", buffer());
            case "lease" -> {
                String name = "l" + ++names.last;
                names.leases.add(name);
                yield step("lease").put("as", name).put("slot", dice.below(3));
            }
            case "unlease" -> names.leases.isEmpty() ? go() : step("unlease").put("lease", dice.of(names.leases));
            case "fault" -> hostile ? step("fault").put("on", dice.of(FAULTS)).put("times", dice.between(1, 2)) : go();
            case "crash" -> crash();
            case "reset" -> hostile ? reset() : go();
            case "close" -> closes && dice.percent(30) ? step("close").put("as", "close" + ++names.last) : go();
            case "drain" -> step("drain").put("as", "d" + ++names.last);
            default -> step("advance").put("ms", dice.between(1, 300));
        };
    }

    private String run(List<String> from) {
        return from.isEmpty() ? "R0" : dice.of(from);
    }

    private String buffer() {
        return dice.of(names.buffers);
    }

    /** Raw addresses from before mean nothing after it. */
    private ObjectNode reset() {
        names.foreign.clear();
        names.pinned.clear();
        return held(step("reset"), 25);
    }

    private ObjectNode crash() {
        if (!hostile) {
            return go();
        }
        return step("crash").put("actor", dice.percent(70) ? "slot:" + run(names.runs) : dice.of(ACTORS));
    }

    private ObjectNode alloc(boolean host) {
        String name = (host ? "h" : "b") + ++names.last;
        ObjectNode s = step("alloc").put("as", name);
        int size = RunMaker.SIZE;
        if (dice.percent(70)) {
            ArrayNode list = s.putArray("f32");
            for (int i = 0; i < size; i++) {
                list.add(dice.between(1, 50));
            }
        } else {
            s.put("bytes", size * Float.BYTES);
        }
        if (host) {
            s.put("host", true);
        } else if (dice.percent(5)) {
            s.put("hold", true);
            names.gates.add(step("go").put("reply", name));
        }
        names.buffers.add(name);
        if (!host && names.pinned.isEmpty() && names.freeable.size() > 1) {
            names.pinned.add(name);
        } else {
            names.freeable.add(name);
        }
        return s;
    }

    private ObjectNode foreign() {
        String name = "f" + ++names.last;
        names.foreign.add(name);
        return step("alloc").put("as", name).put("foreign", true).put("bytes", RunMaker.SIZE * Float.BYTES);
    }

    private ObjectNode held(ObjectNode s, int chance) {
        String name = s.get("do").asText() + ++names.last;
        s.put("as", name);
        if (dice.percent(chance)) {
            s.put("hold", true);
            names.gates.add(step("go").put("reply", name));
        }
        return s;
    }

    private ObjectNode ranged(ObjectNode s, int hold) {
        s.put("buffer", buffer());
        if (dice.percent(50)) {
            int at = dice.below(RunMaker.SIZE);
            s.put("at", at).put("count", dice.between(1, RunMaker.SIZE - at));
        }
        return held(s, hold);
    }

    private ObjectNode free() {
        ObjectNode s =
                step("free").put("buffer", dice.of(names.freeable)).put("when", dice.percent(50) ? "idle" : "now");
        return held(s, 15);
    }

    private ObjectNode write() {
        ObjectNode s = step("write").put("buffer", buffer());
        int at = dice.below(RunMaker.SIZE);
        s.put("at", at);
        ArrayNode list = s.putArray("f32");
        for (int i = dice.between(1, RunMaker.SIZE - at); i > 0; i--) {
            list.add(dice.between(51, 99));
        }
        return held(s, 25);
    }

    private ObjectNode copy() {
        int at = dice.below(RunMaker.SIZE);
        int to = dice.below(RunMaker.SIZE);
        int count = dice.between(1, RunMaker.SIZE - Math.max(at, to));
        ObjectNode s = step("copy").put("from", buffer()).put("at", at);
        return held(s.put("to", buffer()).put("toAt", to).put("count", count), 25);
    }

    private ObjectNode go() {
        return names.gates.isEmpty()
                ? step("advance").put("ms", 1)
                : names.gates.remove(dice.percent(60) ? 0 : dice.below(names.gates.size()));
    }
}
