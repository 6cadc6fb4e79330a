package dev.baton.testkit.invariant;

import static dev.baton.testkit.invariant.Invariants.require;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceStatus;
import java.util.HashMap;
import java.util.Map;

/** What only grows within an epoch. */
final class Marks {
    private Marks() {}

    static void onlyGrow(DeviceStatus last, DeviceStatus now) {
        require(now.retained() >= last.retained(), 'g', () -> "retained fell from " + last.retained());
        require(
                last.poison() == null || last.poison().equals(now.poison()),
                'g',
                () -> "the poison changed from " + last.poison() + " to " + now.poison());
        Map<BufferHandle, DeviceStatus.BufferStatus> buffers = new HashMap<>();
        now.buffers().forEach(b -> buffers.put(b.handle(), b));
        for (DeviceStatus.BufferStatus b : last.buffers()) {
            DeviceStatus.BufferStatus n = buffers.get(b.handle());
            boolean kept = n == null
                    ? !b.unreleasable() && !b.quarantined()
                    : (!b.unreleasable() || n.unreleasable())
                            && (!b.unreadable() || n.unreadable())
                            && (!b.quarantined() || n.quarantined());
            require(kept, 'g', () -> "a mark of " + b.name() + " is gone: " + b + ", now " + n);
        }
    }
}
