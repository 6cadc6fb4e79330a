package dev.baton.testkit.explore;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Draws submits. */
final class RunMaker {
    /** Elements of every buffer. */
    static final int SIZE = 8;

    private static final List<String> CALLS =
            List.of("fill", "copy", "add_const", "add_const", "scale", "add", "inc", "accumulate");
    private static final List<String> POINTS = List.of("build", "prepare", "launch", "execute", "execute", "finalize");
    private static final List<String> FAILS = List.of(
            "prepare:error",
            "prepare:incompatible",
            "cleanup:error",
            "launch:error",
            "execute:error",
            "execute:error",
            "execute:hang",
            "poll:error",
            "finalize:error");

    private final JsonNodeFactory json = JsonNodeFactory.instance;
    private final Dice dice;
    private final Names names;
    private final DeviceMaker device;
    private final boolean hostile;
    private int count;
    private int at;

    RunMaker(Dice dice, Names names, DeviceMaker device, boolean hostile) {
        this.dice = dice;
        this.names = names;
        this.device = device;
        this.hostile = hostile;
    }

    ObjectNode submit() {
        String name = names.fresh("R");
        String call = dice.of(CALLS);
        ObjectNode s = json.objectNode().put("do", "submit").put("as", name).put("call", call);
        boolean whole = dice.percent(60);
        at = whole ? 0 : dice.below(SIZE);
        count = whole ? SIZE : dice.percent(3) ? 0 : dice.between(1, SIZE - at);
        arguments(s.putArray("args"), call);
        if (dice.percent(12)) {
            s.put("held", true);
            names.held.add(name);
        }
        if (dice.percent(4)) {
            s.put("exclusive", true);
        }
        if (dice.percent(8)) {
            s.put("dispatch", dice.below(60));
        }
        if (!names.leases.isEmpty() && dice.percent(15)) {
            s.put("lease", dice.of(names.leases));
        }
        if (hostile && dice.percent(12)) {
            s.put("queueMs", dice.between(1, 200));
        }
        // a build that reads a raw address of nothing is the client's fault
        if (device.builds() && count > 0 && dice.percent(35) && s.get("args").findValue("rawOf") == null) {
            build(s, name, call);
        }
        if (dice.percent(1)) {
            s.putArray("signature").add("IN"); // does not cover what follows: rejected
        }
        hold(s, name);
        if (hostile && dice.percent(18)) {
            fail(s);
        }
        names.submitted(name);
        return s;
    }

    private void hold(ObjectNode s, String name) {
        if (!dice.percent(35)) {
            return;
        }
        ArrayNode hold = s.putArray("hold");
        for (int i = dice.between(1, 2); i > 0; i--) {
            String point = dice.of(POINTS);
            boolean calls = !point.equals("execute");
            if (point.equals("build") && !s.has("build") || calls && device.inline() && !s.has("build")) {
                continue; // never reached, or nothing there that may stand
            }
            hold.add(point);
            gate(name, point);
        }
    }

    private void gate(String name, String point) {
        names.gates.add(json.objectNode().put("do", "go").put("run", name).put("at", point));
    }

    private void fail(ObjectNode s) {
        ObjectNode fail = s.putObject("fail");
        for (int i = dice.percent(80) ? 1 : 2; i > 0; i--) {
            String[] f = dice.of(FAILS).split(":");
            fail.put(f[0], f[1]);
        }
        if (fail.path("execute").asText().equals("hang") ? dice.percent(70) : dice.percent(20)) {
            s.put("runMs", dice.between(1, 200));
        }
    }

    private void arguments(ArrayNode args, String call) {
        switch (call) {
            case "fill" -> {
                args.add(out("out"));
                scalar(args);
            }
            case "copy" -> {
                args.add(in());
                args.add(out("out"));
            }
            case "add_const", "scale" -> {
                args.add(in());
                args.add(out("out"));
                scalar(args);
            }
            case "add" -> {
                args.add(in());
                args.add(in());
                args.add(out("out"));
            }
            case "inc" -> {
                args.add(out("inout"));
                scalar(args);
            }
            default -> {
                args.add(in());
                args.add(out("inout"));
            }
        }
    }

    private void scalar(ArrayNode args) {
        args.add(json.objectNode().put("scalar", dice.between(1, 3)));
    }

    private ObjectNode in() {
        ObjectNode a = json.objectNode();
        if (dice.percent(8)) {
            ArrayNode host = a.putObject("in").putArray("host");
            for (int i = 0; i < count; i++) {
                host.add(dice.between(1, 9));
            }
            return a;
        }
        if (dice.percent(5) && !names.foreign.isEmpty()) {
            boolean pinned = dice.percent(50) && !names.pinned.isEmpty();
            a.putObject("in").put("rawOf", dice.of(pinned ? names.pinned : names.foreign));
            return a.put("at", at).put("count", count);
        }
        a.put("in", names.input());
        return count == SIZE && dice.percent(50) ? a : a.put("at", at).put("count", count);
    }

    private ObjectNode out(String role) {
        ObjectNode a = json.objectNode();
        if (role.equals("out") && dice.percent(6)) {
            a.putObject("out").put("host", count);
            return a;
        }
        if (dice.percent(3) && !names.foreign.isEmpty()) {
            a.putObject(role).put("rawOf", dice.of(names.foreign));
        } else {
            a.put(role, names.output());
        }
        return a.put("at", at).put("count", count);
    }

    private void build(ObjectNode s, String name, String call) {
        ArrayNode ops = s.putArray("build");
        int last = s.get("args").size() - 1;
        boolean scalarLast = s.get("args").get(last).has("scalar");
        int out = scalarLast ? last - 1 : last;
        boolean reads = s.get("args").get(0).has("in") || call.equals("inc");
        if (reads) {
            ObjectNode read = ops.addObject();
            read.putArray("read").add(0).add(dice.below(count));
            read.put("as", "v");
            during(read, name);
            if (scalarLast && dice.percent(60)) {
                ops.addObject().put("scalarFrom", "v").put("arg", last);
            }
        }
        if (dice.percent(20)) {
            ops.addObject().put("hold", "mid");
            gate(name, "mid");
        }
        boolean inout = s.get("args").get(out).has("inout");
        if (inout && dice.percent(50)) {
            String what = dice.percent(50) ? "write" : "add";
            ops.addObject().putArray(what).add(out).add(dice.below(count)).add(dice.between(1, 5));
        }
        if (dice.percent(6)) {
            ObjectNode free = ops.addObject().put("free", names.toFree());
            free.put("as", names.fresh("bf")).put("when", dice.percent(80) ? "now" : "idle");
        }
        if (hostile && dice.percent(6)) {
            ops.addObject().put(dice.percent(50) ? "fail" : "throw", "drawn");
        }
    }

    /** Between the refusal of an access and its report. */
    private void during(ObjectNode read, String name) {
        if (!dice.percent(8)) {
            return;
        }
        ArrayNode ops = read.putArray("during");
        if (hostile && dice.percent(30)) {
            ops.addObject().put("fail", "drawn");
        } else {
            ops.addObject().put("hold", "meanwhile");
            gate(name, "meanwhile");
        }
    }
}
