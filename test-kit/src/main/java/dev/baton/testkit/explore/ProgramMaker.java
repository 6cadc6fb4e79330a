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
            "submit 36 free 8 read 9 write 6 copy 5 fill 3 go 14 alloc 4 abandon 3 activate 4 revalidate 2 lease 2 unlease 1"
                    + " advance 5 fault 2 crash 2 reset 1 drain 1 close 1");

    private static final List<String> TOGETHER =
            menu("submit 9 free 3 read 4 write 2 copy 2 fill 1 abandon 1 activate 1 go 2 fault 1 crash 1");
    /** Steps that belong to a client: others happen beside all of them. */
    private static final List<String> NOT_SENT = List.of("go", "fault", "crash");
    /** Larger than any device's memory. */
    private static final int TOO_LARGE = 1 << 20;

    private final JsonNodeFactory json = JsonNodeFactory.instance;
    private final Dice dice;
    private final Names names;
    private final RunMaker runs;
    private final DeviceMaker device;
    private final boolean hostile;

    private ProgramMaker(long seed) {
        this.dice = new Dice(seed);
        this.hostile = dice.percent(60);
        this.names = new Names(dice);
        this.device = new DeviceMaker(dice, hostile);
        this.runs = new RunMaker(dice, names, device, hostile);
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
        device.make(top);
        ArrayNode steps = top.putArray("steps");
        for (int i = dice.between(4, 6); i > 0; i--) {
            steps.add(alloc(i % 4 == 0));
        }
        steps.add(foreign());
        int sent = 0;
        while (sent < commands) {
            if (dice.percent(12)) {
                int n = dice.between(2, 5);
                steps.add(together(n));
                sent += n;
            } else if (names.needBuffers() && dice.percent(60)) {
                steps.add(alloc(dice.percent(20)));
                sent++;
            } else {
                steps.add(make(dice.of(MENU)));
                sent++;
            }
        }
        return top;
    }

    /** Steps without a rest between them, some of them sent in the turn in which a run's answer is seen. */
    private ObjectNode together(int n) {
        ObjectNode together = step("together");
        ArrayNode inner = together.putArray("steps");
        int clients = dice.between(1, 3);
        String run = names.haveRuns() ? names.run() : "";
        for (int i = 0; i < n; i++) {
            ObjectNode s = make(dice.of(TOGETHER));
            if (s.get("do").asText().equals("advance")) {
                s = make("read");
            }
            if (!NOT_SENT.contains(s.get("do").asText())) {
                s.put("client", "c" + dice.below(clients));
                if (!run.isEmpty() && dice.percent(10)) {
                    s.put("after", run);
                }
            }
            inner.add(s);
        }
        return together;
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
                step(what)
                        .put(
                                "run",
                                what.equals("activate") && !names.held.isEmpty() ? dice.of(names.held) : names.run());
            case "revalidate" -> step("revalidate").put("buffer", dice.percent(70) ? names.written() : names.buffer());
            case "lease" -> {
                String name = names.fresh("l");
                names.leases.add(name);
                yield step("lease").put("as", name).put("slot", dice.below(device.depth()));
            }
            case "unlease" -> names.leases.isEmpty() ? go() : step("unlease").put("lease", dice.of(names.leases));
            case "fault" -> hostile ? step("fault").put("on", dice.of(FAULTS)).put("times", dice.between(1, 2)) : go();
            case "crash" -> crash();
            case "reset" -> hostile ? reset() : go();
            case "close" -> device.closes() && dice.percent(30) ? step("close").put("as", names.fresh("close")) : go();
            case "drain" -> step("drain").put("as", names.fresh("d"));
            default -> step("advance").put("ms", dice.between(1, 300));
        };
    }

    private ObjectNode reset() {
        names.reset();
        ObjectNode s = step("reset").put("as", names.fresh("reset"));
        if (dice.percent(25)) {
            hold(s, s.get("as").asText());
        }
        return s;
    }

    private ObjectNode crash() {
        if (!hostile) {
            return go();
        }
        return step("crash").put("actor", dice.percent(70) ? "slot:" + names.run() : dice.of(ACTORS));
    }

    private ObjectNode alloc(boolean host) {
        String name = names.fresh(host ? "h" : "b");
        ObjectNode s = step("alloc").put("as", name);
        int size = RunMaker.SIZE;
        if (!host && dice.percent(2)) {
            return s.put("bytes", TOO_LARGE);
        }
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
        } else if (!device.inline() && dice.percent(5)) {
            hold(s, name);
        }
        names.allocated(name, host);
        return s;
    }

    private ObjectNode foreign() {
        String name = names.fresh("f");
        names.foreign.add(name);
        return step("alloc").put("as", name).put("foreign", true).put("bytes", RunMaker.SIZE * Float.BYTES);
    }

    private void hold(ObjectNode s, String name) {
        s.put("hold", true);
        names.gates.add(step("go").put("reply", name));
    }

    /** A memory call, which may stand in the driver if it has a thread for that. */
    private ObjectNode held(ObjectNode s, int chance) {
        String name = names.fresh(s.get("do").asText());
        s.put("as", name);
        if (!device.inline() && dice.percent(chance)) {
            hold(s, name);
        }
        return s;
    }

    private ObjectNode ranged(ObjectNode s, int hold) {
        s.put("buffer", names.buffer());
        if (dice.percent(50)) {
            int at = dice.below(RunMaker.SIZE);
            s.put("at", at).put("count", dice.between(1, RunMaker.SIZE - at));
        }
        return held(s, hold);
    }

    private ObjectNode free() {
        ObjectNode s = step("free").put("buffer", names.toFree()).put("when", dice.percent(50) ? "idle" : "now");
        if (dice.percent(3)) {
            s.put("at", 1); // inside the buffer: refused
        }
        return held(s, 15);
    }

    private ObjectNode write() {
        ObjectNode s = step("write").put("buffer", names.buffer());
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
        ObjectNode s = step("copy").put("from", names.buffer()).put("at", at);
        return held(s.put("to", names.buffer()).put("toAt", to).put("count", count), 25);
    }

    private ObjectNode go() {
        return names.gates.isEmpty()
                ? step("advance").put("ms", 1)
                : names.gates.remove(dice.percent(60) ? 0 : dice.below(names.gates.size()));
    }
}
