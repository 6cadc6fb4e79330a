package dev.baton.testkit.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.protocol.Argument;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DataType;
import dev.baton.protocol.HostTensor;
import dev.baton.protocol.Lease;
import dev.baton.protocol.Location;
import dev.baton.protocol.RawAddress;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Scalar;
import dev.baton.protocol.Signature;
import dev.baton.protocol.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Submits as the file writes them, as requests of the protocol. */
final class Requests {
    private static final int F32 = 4;

    private Requests() {}

    static Signature signature(JsonNode submit) {
        return Signature.of(roles(submit).toArray(new Role[0]));
    }

    /** The roles that the arguments show, unless the step says otherwise. */
    static List<Role> roles(JsonNode submit) {
        List<Role> roles = new ArrayList<>();
        if (submit.has("signature")) {
            for (JsonNode r : submit.get("signature")) {
                roles.add(Role.valueOf(r.asText()));
            }
        } else {
            for (JsonNode a : submit.get("args")) {
                roles.add(role(a));
            }
        }
        return roles;
    }

    static Role role(JsonNode a) {
        if (a.has("in")) {
            return Role.IN;
        } else if (a.has("out")) {
            return Role.OUT;
        } else if (a.has("inout")) {
            return Role.INOUT;
        } else if (a.has("scalar")) {
            return Role.SCALAR;
        }
        throw new ScenarioError("an argument has one of the keys in, out, inout and scalar: " + a);
    }

    static RunRequest request(World world, JsonNode submit, String callable) {
        RunRequest.Builder b = RunRequest.of(callable).named(submit.get("as").asText());
        for (JsonNode a : submit.get("args")) {
            b.argument(argument(world, a));
        }
        if (submit.path("held").asBoolean()) {
            b.held();
        }
        if (submit.path("exclusive").asBoolean()) {
            b.exclusive();
        }
        if (submit.has("queueMs")) {
            b.queueDeadline(Duration.ofMillis(submit.get("queueMs").asLong()));
        }
        if (submit.has("runMs")) {
            b.executionDeadline(Duration.ofMillis(submit.get("runMs").asLong()));
        }
        if (submit.has("dispatch")) {
            b.dispatch(submit.get("dispatch").asLong());
        }
        if (submit.has("lease")) {
            String name = submit.get("lease").asText();
            Lease lease = world.leases.get(name);
            if (lease == null) {
                throw new ScenarioError("unknown lease '" + name + "' at key lease");
            }
            b.lease(lease);
        }
        return b.build();
    }

    private static Argument argument(World world, JsonNode a) {
        Role role = role(a);
        if (role == Role.SCALAR) {
            return new Argument.Value(Scalar.f32((float) a.get("scalar").asDouble()));
        }
        JsonNode what = a.has("in") ? a.get("in") : a.has("out") ? a.get("out") : a.get("inout");
        if (what.has("host")) {
            return host(role, what.get("host"));
        }
        long at = a.path("at").asLong(0);
        if (what.isTextual()) {
            World.Buffer buffer = world.buffer(what.asText());
            BufferHandle handle = buffer.handle();
            if (handle == null) {
                throw new ScenarioError("buffer '" + what.asText() + "' is foreign; name it by rawOf");
            }
            long count = a.has("count") ? a.get("count").asLong() : buffer.bytes() / F32 - at;
            return tensor(handle, at, count);
        }
        if (what.has("rawOf")) {
            World.Buffer buffer = world.buffer(what.get("rawOf").asText());
            long count = a.has("count") ? a.get("count").asLong() : buffer.bytes() / F32 - at;
            return tensor(new RawAddress(buffer.address()), at, count);
        }
        if (what.has("raw")) {
            long address = Long.parseUnsignedLong(what.get("raw").asText().replaceFirst("^0[xX]", ""), 16);
            return tensor(new RawAddress(address), at, a.path("count").asLong(1));
        }
        throw new ScenarioError("an argument names a buffer, host, raw or rawOf: " + a);
    }

    private static Argument host(Role role, JsonNode host) {
        if (role == Role.OUT) {
            return new Argument.ToHost(DataType.F32, List.of(host.isArray() ? host.size() : host.asLong()));
        }
        return new Argument.FromHost(HostTensor.ofFloats(floats(host)));
    }

    private static Argument tensor(Location location, long at, long count) {
        return new Argument.OnDevice(Tensor.of(location, at * F32, DataType.F32, count));
    }

    static float[] floats(JsonNode list) {
        float[] values = new float[list.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) list.get(i).asDouble();
        }
        return values;
    }
}
