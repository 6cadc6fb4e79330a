package dev.baton.testkit.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.context.DeviceSettings;
import dev.baton.sim.SimSettings;
import java.time.Duration;

/** Reads the device of a scenario file. */
final class DeviceReader {
    private final String source;

    DeviceReader(String source) {
        this.source = source;
    }

    /** The device that the node describes. */
    Scenario.DeviceSpec read(JsonNode d) {
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

    /** A whole number. */
    Long number(JsonNode d, String key, long otherwise) {
        JsonNode n = d.path(key);
        if (n.isMissingNode()) {
            return otherwise;
        }
        if (!n.isIntegralNumber()) {
            throw new ScenarioError(source + ": key " + key + " is no whole number");
        }
        return n.asLong();
    }
}
