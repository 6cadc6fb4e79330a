package dev.baton.testkit.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.Elements;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Scalar;
import dev.baton.protocol.build.Access;
import dev.baton.protocol.build.BuildContext;
import dev.baton.protocol.build.HostBuild;
import dev.baton.sim.SimControl;
import java.util.HashMap;
import java.util.Map;

/** The host build of a scenario's run: its operations in order, then the callable's own task. */
final class ScriptedBuild implements HostBuild {
    private final World world;
    private final SimControl control;
    private final String run;
    private final JsonNode operations;

    ScriptedBuild(World world, SimControl control, String run, JsonNode operations) {
        this.world = world;
        this.control = control;
        this.run = run;
        this.operations = operations;
    }

    /** Arms the points at which the build itself asks to stop. */
    void arm() {
        arm(operations);
    }

    private void arm(JsonNode list) {
        for (JsonNode op : list) {
            if (op.has("hold")) {
                control.hold(run, op.get("hold").asText());
            }
            arm(op.path("during"));
        }
    }

    @Override
    public void build(BuildContext context) throws Exception {
        control.pass(run, "build");
        Map<String, Long> values = new HashMap<>();
        Map<Integer, Scalar> scalars = new HashMap<>();
        perform(context, operations, values, scalars);
        context.emitOwn(scalars);
    }

    private void perform(BuildContext b, JsonNode list, Map<String, Long> values, Map<Integer, Scalar> scalars)
            throws Exception {
        for (JsonNode op : list) {
            if (op.has("attempt") && op.get("attempt").asInt() != b.attempt()) {
                continue;
            }
            perform(b, op, op.path("during"), values, scalars);
        }
    }

    private void perform(
            BuildContext b, JsonNode op, JsonNode during, Map<String, Long> values, Map<Integer, Scalar> scalars)
            throws Exception {
        Runnable between = () -> {
            try {
                perform(b, during, values, scalars);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                b.fail(e);
            }
        };
        if (op.has("read")) {
            read(b, op, between, values);
        } else if (op.has("write")) {
            JsonNode w = op.get("write");
            b.write(w.get(0).asInt(), w.get(1).asLong(), bits(b, w, w.get(2).asDouble()), between);
        } else if (op.has("add")) {
            JsonNode a = op.get("add");
            Access old = b.read(a.get(0).asInt(), a.get(1).asLong(), between);
            if (old instanceof Access.Value v) {
                double sum =
                        Elements.toDouble(DataType.F32, v.bits()) + a.get(2).asDouble();
                b.write(a.get(0).asInt(), a.get(1).asLong(), bits(b, a, sum), between);
            }
        } else if (op.has("scalarFrom")) {
            Long bits = values.get(op.get("scalarFrom").asText());
            if (bits != null) {
                scalars.put(op.get("arg").asInt(), new Scalar(DataType.F32, bits));
            }
        } else if (op.has("fail")) {
            b.fail(op.get("fail").asText());
        } else if (op.has("throw")) {
            throw new IllegalStateException(op.get("throw").asText());
        } else if (op.has("free")) {
            free(b, op);
        } else if (op.has("hold")) {
            control.pass(run, op.get("hold").asText());
        }
    }

    private static long bits(BuildContext b, JsonNode op, double value) {
        int argument = op.get(0).asInt();
        DataType type = argument >= 0 && argument < b.arguments() ? b.type(argument) : DataType.F32;
        return Elements.fromDouble(type, value);
    }

    private static void read(BuildContext b, JsonNode op, Runnable between, Map<String, Long> values) {
        JsonNode r = op.get("read");
        Access answer = b.read(r.get(0).asInt(), r.get(1).asLong(), between);
        if (answer instanceof Access.Value v && op.has("as")) {
            values.put(op.get("as").asText(), v.bits());
        }
    }

    private void free(BuildContext b, JsonNode op) {
        String name = op.get("free").asText();
        BufferHandle handle = world.buffer(name).handle();
        if (handle == null) {
            throw new ScenarioError("buffer '" + name + "' is foreign and can't be freed");
        }
        DeviceCommand.When when =
                op.path("when").asText("now").equals("idle") ? DeviceCommand.When.LATER : DeviceCommand.When.NOW;
        Reply.FreeReply reply = b.free(handle, when);
        if (op.has("as")) {
            world.replies.computeIfAbsent(op.get("as").asText(), n -> new World.Pending()).reply = reply;
        }
    }
}
