package dev.baton.testkit.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.protocol.Holder;
import dev.baton.protocol.HostTensor;
import dev.baton.protocol.Poison;
import dev.baton.protocol.Refusal;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunReply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers as scenario files write them. */
final class Outcomes {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private Outcomes() {}

    /** What came of a step: its code, and keys to compare. */
    record Outcome(String code, ObjectNode keys, boolean good) {
        @Override
        public String toString() {
            return keys.isEmpty() ? code : keys.toString();
        }
    }

    static Outcome of(Object reply) {
        if (reply instanceof Reply.Refused r) {
            return refused("refused", r.refusal());
        } else if (reply instanceof Reply.Failed f) {
            ObjectNode keys =
                    JSON.objectNode().put("failed", f.failure().name()).put("message", f.message());
            return new Outcome(f.failure().name(), keys, false);
        } else if (reply instanceof RunReply.Rejected r) {
            return refused("rejected", r.refusal());
        } else if (reply instanceof RunReply.Accepted) {
            return good("ACCEPTED");
        } else if (reply instanceof RunReply.Finished f) {
            return finished(f);
        } else if (reply instanceof Reply.Data d) {
            return new Outcome(
                    "DATA", JSON.objectNode().set("f32", floats(d.bytes().toFloats())), true);
        } else if (reply instanceof Reply.Drained d) {
            return new Outcome("DRAINED", poison(JSON.objectNode().put("drained", true), d.poison()), true);
        } else if (reply instanceof Reply.Closed c) {
            ObjectNode keys = JSON.objectNode().put("closed", true);
            keys.set("stillAllocated", names(c.stillAllocated()));
            keys.set("unreleasable", names(c.unreleasable()));
            keys.set("quarantined", names(c.quarantined()));
            keys.put("leaked", c.leaked());
            return new Outcome("CLOSED", poison(keys, c.poison()), true);
        }
        return good(plain(reply));
    }

    private static String plain(Object reply) {
        if (reply instanceof Reply.ResetDone) {
            return "RESET";
        } else if (reply instanceof Reply.GivenBack) {
            return "UNLEASED";
        }
        return reply.getClass().getSimpleName().toUpperCase(java.util.Locale.ROOT);
    }

    private static Outcome good(String code) {
        return new Outcome(code, JSON.objectNode(), true);
    }

    private static Outcome refused(String key, Refusal r) {
        ObjectNode keys = JSON.objectNode().put(key, r.code().name()).put("message", r.message());
        keys.set("by", by(r.by()));
        return new Outcome(r.code().name(), keys, false);
    }

    private static Outcome finished(RunReply.Finished f) {
        RunFailure failure = f.failure();
        if (failure == null) {
            ObjectNode keys = JSON.objectNode().put("completed", true);
            ArrayNode out = keys.putArray("hostOut");
            for (HostTensor t : f.hostOutputs()) {
                out.add(floats(t.bytes().toFloats()));
            }
            return new Outcome("COMPLETED", keys, true);
        }
        ObjectNode keys = JSON.objectNode().put("failed", failure.reason().name());
        keys.put("message", failure.operation() + ": " + failure.message());
        keys.set("by", by(failure.by() == null ? List.of() : List.of(failure.by())));
        return new Outcome(failure.reason().name(), keys, false);
    }

    static ArrayNode by(List<Holder> holders) {
        ArrayNode list = JSON.arrayNode();
        for (Holder h : holders) {
            list.add(h.name());
        }
        return list;
    }

    private static ArrayNode names(List<Reply.BufferRef> refs) {
        ArrayNode list = JSON.arrayNode();
        for (Reply.BufferRef r : refs) {
            list.add(r.name());
        }
        return list;
    }

    private static ObjectNode poison(ObjectNode keys, @Nullable Poison poison) {
        if (poison != null) {
            keys.put("poison", poison.reason().name());
        }
        return keys;
    }

    static ArrayNode floats(float[] values) {
        ArrayNode list = JSON.arrayNode();
        for (float v : values) {
            list.add(v);
        }
        return list;
    }

    /** Whether an outcome is as expected; why not, or null. */
    static @Nullable String mismatch(JsonNode expect, Outcome got) {
        if (expect.isTextual()) {
            return expect.asText().equals(got.code()) ? null : "expected " + expect.asText() + ", got " + got;
        }
        if (expect.has("oneOf")) {
            for (JsonNode option : expect.get("oneOf")) {
                if (mismatch(option, got) == null) {
                    return null;
                }
            }
            return "expected " + expect + ", got " + got;
        }
        var fields = expect.fields();
        while (fields.hasNext()) {
            var f = fields.next();
            if (f.getKey().equals("contains")) {
                if (!got.keys().path("message").asText().contains(f.getValue().asText())) {
                    return "expected a message with '" + f.getValue().asText() + "', got " + got;
                }
            } else if (!same(f.getValue(), got.keys().path(f.getKey()))) {
                return "expected " + expect + ", got " + got;
            }
        }
        return null;
    }

    /** Compares values; a text matches a list of it alone, an object key by key, numbers by value. */
    static boolean same(JsonNode expect, JsonNode got) {
        if (expect.has("oneOf")) {
            for (JsonNode option : expect.get("oneOf")) {
                if (same(option, got)) {
                    return true;
                }
            }
            return false;
        }
        if (expect.isTextual() && got.isArray()) {
            return got.size() == 1 && got.get(0).asText().equals(expect.asText());
        }
        if (expect.isNumber() && got.isNumber()) {
            return expect.asDouble() == got.asDouble();
        }
        if (expect.isArray()) {
            if (!got.isArray() || got.size() != expect.size()) {
                return false;
            }
            for (int i = 0; i < expect.size(); i++) {
                if (!same(expect.get(i), got.get(i))) {
                    return false;
                }
            }
            return true;
        }
        if (expect.isObject()) {
            var fields = expect.fields();
            while (fields.hasNext()) {
                var f = fields.next();
                if (!same(f.getValue(), got.path(f.getKey()))) {
                    return false;
                }
            }
            return true;
        }
        return expect.equals(got);
    }
}
