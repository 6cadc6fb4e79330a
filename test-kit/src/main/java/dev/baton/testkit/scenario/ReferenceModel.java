package dev.baton.testkit.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.protocol.HostTensor;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunReply;
import dev.baton.testkit.invariant.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What memory must hold if everything happened one after another: commands as they came to the door, runs in dispatch order. Values
 * that it can't know (failed runs, foreign memory, buffers that were never written) are unknown and compared with nothing. Names of
 * buffers and runs must be used once.
 */
final class ReferenceModel {
    /** One command, in the order in which it came to the door. */
    private record Entry(Scenario.Step step, World.Pending pending, World.@Nullable Run run) {
        boolean answered() {
            return run == null ? pending.reply != null : run.first instanceof RunReply.Rejected || run.finished != null;
        }

        long dispatch() {
            return run != null && run.first instanceof RunReply.Accepted a ? a.dispatch() : -1;
        }
    }

    /** Codes of refusals that come from a device which went down: what was under way may have happened. */
    private static final Set<RefusalCode> DOWN =
            Set.of(RefusalCode.CLOSED, RefusalCode.RESETTING, RefusalCode.DEVICE_FAILED, RefusalCode.STALE_BUFFER);

    private final World world;
    private final Map<String, Cells> buffers = new HashMap<>();
    private final List<Entry> history = new ArrayList<>();
    private boolean wasReset;

    ReferenceModel(World world) {
        this.world = world;
    }

    /** A command is sent to the door right now. */
    void sent(Scenario.Step step, World.Pending pending) {
        history.add(new Entry(step, pending, step.what().equals("submit") ? world.run(step.text("as")) : null));
    }

    /** An allocation was answered; its content follows at once, if it has one. */
    void allocated(Scenario.Step step, String name, long bytes, World.Pending pending) {
        buffers.put(name, new Cells((int) (bytes / Float.BYTES)));
        history.add(new Entry(step, pending, null));
    }

    /** Checks what can be checked: everything before it is answered. */
    void atRest() {
        reorder();
        int done = 0;
        while (done < history.size() && history.get(done).answered()) {
            apply(history.get(done));
            done++;
        }
        history.subList(0, done).clear();
    }

    /** Runs ahead of others that came before them: the others, and reads that wait for those, come after. */
    private void reorder() {
        for (int i = 1; i < history.size(); i++) {
            long dispatch = history.get(i).dispatch();
            if (dispatch < 0) {
                continue;
            }
            List<Entry> moved = new ArrayList<>();
            for (int j = 0; j < i; j++) {
                Entry e = history.get(j);
                if (e.dispatch() > dispatch || e.step.what().equals("read") && waitsFor(e, moved)) {
                    moved.add(e);
                }
            }
            if (!moved.isEmpty()) {
                Entry self = history.get(i);
                history.removeAll(moved);
                history.addAll(history.indexOf(self) + 1, moved);
                i -= moved.size();
            }
        }
    }

    private boolean waitsFor(Entry read, List<Entry> runs) {
        Range mine = range(read.step.node(), "buffer", "at");
        for (Entry e : runs) {
            if (e.run != null) {
                for (JsonNode a : e.step.node().get("args")) {
                    if ((a.has("out") || a.has("inout")) && mine.overlaps(range(a))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Elements of a buffer; of none if the name is empty. */
    record Range(String buffer, int at, int count) {
        boolean overlaps(Range o) {
            return buffer.equals(o.buffer)
                    && !buffer.isEmpty()
                    && count > 0
                    && o.count > 0
                    && at < o.at + o.count
                    && o.at < at + count;
        }
    }

    private Range range(JsonNode n, String key, String at) {
        String name = n.get(key).asText();
        Cells cells = buffers.get(name);
        int from = n.path(at).asInt(0);
        int size = cells == null ? 0 : cells.size();
        return new Range(name, from, n.has("count") ? n.get("count").asInt() : size - from);
    }

    Range range(JsonNode argument) {
        for (String key : List.of("in", "out", "inout")) {
            if (argument.path(key).isTextual()) {
                return range(argument, key, "at");
            }
        }
        return new Range("", 0, argument.path("count").asInt(1));
    }

    private void apply(Entry e) {
        JsonNode n = e.step.node();
        Object reply = e.pending.reply;
        switch (e.step.what()) {
            case "alloc" -> put(new Range(e.step.text("as"), 0, n.path("f32").size()), Cells.of(n.path("f32")), reply);
            case "write" -> {
                Range r = range(n, "buffer", "at");
                put(new Range(r.buffer, r.at, n.get("f32").size()), Cells.of(n.get("f32")), reply);
            }
            case "fill" -> {
                Range to = range(n, "buffer", "at");
                put(
                        to,
                        Cells.filled(
                                Math.max(0, to.count), (float) n.get("value").asDouble()),
                        reply);
            }
            case "copy" -> {
                Range from = range(n, "from", "at");
                Range to = new Range(n.get("to").asText(), n.path("toAt").asInt(0), from.count);
                put(to, get(from), reply);
            }
            case "read" -> {
                if (reply instanceof Reply.Data d) {
                    compare(e.step, get(range(n, "buffer", "at")), d.bytes().toFloats());
                }
            }
            case "reset" -> wasReset = true;
            case "submit" -> run(e);
            default -> {
                // changes no bytes
            }
        }
    }

    private static void compare(Scenario.Step step, Cells expected, float[] got) {
        for (int i = 0; i < got.length; i++) {
            if (expected.known(i) && expected.get(i) != got[i]) {
                throw new Violation(
                        'c',
                        step.what() + " of step " + step.number() + " got " + got[i] + " at element " + i
                                + ", but the last write ordered before it left " + expected.get(i));
            }
        }
    }

    /** What a buffer holds; unknown where there is none. */
    Cells get(Range r) {
        Cells from = buffers.get(r.buffer);
        return from == null ? new Cells(Math.max(0, r.count)) : from.part(r.at, r.count);
    }

    private void put(Range to, Cells what, @Nullable Object reply) {
        if (reply instanceof Reply.Refused refused
                && !DOWN.contains(refused.refusal().code())) {
            return;
        }
        set(to, reply instanceof Reply.Refused || reply instanceof Reply.Failed ? new Cells(what.size()) : what);
    }

    void set(Range to, Cells what) {
        Cells target = buffers.get(to.buffer);
        if (target != null) {
            target.set(to.at, what);
        }
    }

    private void run(Entry e) {
        if (!(e.run != null && e.run.finished instanceof RunReply.Finished f)) {
            return;
        }
        JsonNode n = e.step.node();
        if (!f.completed()) {
            for (JsonNode a : n.get("args")) {
                forget(a);
            }
            return;
        }
        List<Cells> outputs = new ModelRun(this, n).perform();
        for (int i = 0; i < Math.min(outputs.size(), f.hostOutputs().size()); i++) {
            HostTensor got = f.hostOutputs().get(i);
            compare(e.step, outputs.get(i), got.bytes().toFloats());
        }
    }

    /** What the argument writes is unknown from now on. */
    void forget(JsonNode argument) {
        if (argument.has("out") || argument.has("inout")) {
            Range r = range(argument);
            if (!r.buffer.isEmpty()) {
                set(r, new Cells(Math.max(0, r.count)));
            }
            JsonNode what = argument.has("out") ? argument.get("out") : argument.get("inout");
            // foreign memory is gone with a reset: then its address may be anyone's
            if (wasReset && (what.has("raw") || what.has("rawOf"))) {
                buffers.values().forEach(b -> b.set(0, new Cells(b.size())));
            }
        }
    }
}
