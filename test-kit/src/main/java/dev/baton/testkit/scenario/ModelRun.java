package dev.baton.testkit.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One completed run of the reference model: its build's operations, then its callable. */
final class ModelRun {
    private final ReferenceModel model;
    private final JsonNode submit;
    private final List<JsonNode> args = new ArrayList<>();
    private final List<Cells> values = new ArrayList<>();
    private final Map<Integer, Cells> scalars = new HashMap<>();

    ModelRun(ReferenceModel model, JsonNode submit) {
        this.model = model;
        this.submit = submit;
        for (JsonNode a : submit.get("args")) {
            args.add(a);
            values.add(value(a));
        }
    }

    private Cells value(JsonNode a) {
        if (a.has("scalar")) {
            return Cells.filled(1, (float) a.get("scalar").asDouble());
        }
        JsonNode what = a.has("in") ? a.get("in") : a.has("out") ? a.get("out") : a.get("inout");
        if (what.has("host")) {
            JsonNode host = what.get("host");
            return host.isArray() ? Cells.of(host) : new Cells(host.asInt());
        }
        return model.get(model.range(a));
    }

    /** Applies it; the values of its host outputs, in order. */
    List<Cells> perform() {
        boolean clean = !submit.has("build") || build(submit.get("build"));
        int out = -1;
        for (int i = 0; i < args.size(); i++) {
            if (args.get(i).has("out") || args.get(i).has("inout")) {
                out = i;
            }
        }
        Cells result = clean && !aliased(out)
                ? compute(out)
                : new Cells(values.get(out).size());
        List<Cells> hostOutputs = new ArrayList<>();
        for (int i = 0; i < args.size(); i++) {
            JsonNode a = args.get(i);
            if (!a.has("out") && !a.has("inout")) {
                continue;
            }
            JsonNode what = a.has("out") ? a.get("out") : a.get("inout");
            if (what.has("host")) {
                hostOutputs.add(i == out ? result : new Cells(values.get(i).size()));
            } else if (what.isTextual() && i == out) {
                model.set(model.range(a), result);
            } else {
                model.forget(a);
            }
        }
        return hostOutputs;
    }

    /** Whether some input overlaps the output otherwise than being the same, or both with a build between. */
    private boolean aliased(int out) {
        ReferenceModel.Range target = model.range(args.get(out));
        for (int i = 0; i < args.size(); i++) {
            if (i != out && args.get(i).has("in")) {
                ReferenceModel.Range r = model.range(args.get(i));
                if (r.overlaps(target) && (!r.equals(target) || submit.has("build"))) {
                    return true;
                }
            }
        }
        return false;
    }

    private Cells compute(int out) {
        Cells to = values.get(out);
        Cells result = new Cells(to.size());
        String call = submit.get("call").asText();
        for (int i = 0; i < to.size(); i++) {
            switch (call) {
                case "fill" -> put(result, i, 0, scalar(1), scalar(1), 0);
                case "copy" -> put(result, i, 0, values.get(0), values.get(0), i);
                case "add_const" -> put(result, i, '+', values.get(0), scalar(2), 0);
                case "scale" -> put(result, i, '*', values.get(0), scalar(2), 0);
                case "add" -> put(result, i, '+', values.get(0), values.get(1), i);
                case "inc" -> put(result, i, '+', to, scalar(1), 0);
                case "accumulate" -> put(result, i, '+', to, values.get(0), i);
                default -> result.forget(i);
            }
        }
        return result;
    }

    private Cells scalar(int index) {
        return scalars.getOrDefault(index, values.get(index));
    }

    private static void put(Cells result, int i, int operator, Cells a, Cells b, int j) {
        int first = operator == 0 ? j : i;
        if (a.known(first) && b.known(j)) {
            float x = a.get(first);
            float y = b.get(j);
            result.put(i, operator == '+' ? x + y : operator == '*' ? x * y : x);
        }
    }

    /** Does the operations of the last attempt; false if they depend on the attempt. */
    private boolean build(JsonNode operations) {
        Map<String, Cells> read = new HashMap<>();
        for (JsonNode op : operations) {
            if (op.has("attempt") || op.has("during")) {
                return false;
            }
            if (op.has("read")) {
                int arg = op.get("read").get(0).asInt();
                read.put(
                        op.path("as").asText(),
                        values.get(arg).part(op.get("read").get(1).asInt(), 1));
            } else if (op.has("scalarFrom")) {
                scalars.put(
                        op.get("arg").asInt(),
                        read.getOrDefault(op.get("scalarFrom").asText(), new Cells(1)));
            } else if (op.has("write")) {
                JsonNode w = op.get("write");
                values.get(w.get(0).asInt())
                        .put(w.get(1).asInt(), (float) w.get(2).asDouble());
            } else if (op.has("add")) {
                JsonNode w = op.get("add");
                Cells c = values.get(w.get(0).asInt());
                int at = w.get(1).asInt();
                if (c.known(at)) {
                    c.put(at, (float) (c.get(at) + w.get(2).asDouble()));
                }
            }
        }
        return true;
    }
}
