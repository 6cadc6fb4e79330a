package dev.baton.testkit.scenario;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.protocol.DeviceStatus;
import java.util.HashMap;
import java.util.Map;

/** A status as scenario files write it. */
final class StatusNode {
    private StatusNode() {}

    static ObjectNode of(World world, DeviceStatus status) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("lane", status.lane().name());
        node.put("queued", status.queued());
        node.put("inSlots", status.inSlots());
        node.put("allocated", status.allocated());
        node.put("retained", status.retained());
        Map<Object, String> names = new HashMap<>();
        world.buffers.forEach((name, b) -> {
            if (b.handle() != null) {
                names.put(b.handle(), name);
            }
        });
        ObjectNode buffers = node.putObject("buffers");
        for (DeviceStatus.BufferStatus b : status.buffers()) {
            ObjectNode n = buffers.putObject(names.getOrDefault(b.handle(), b.name()));
            n.set("borrowers", Outcomes.by(b.borrowers()));
            n.set("writers", Outcomes.by(b.writers()));
            n.put("unreleasable", b.unreleasable());
            n.put("unreadable", b.unreadable());
            n.put("void", b.isVoid());
            n.put("quarantined", b.quarantined());
        }
        return node;
    }
}
