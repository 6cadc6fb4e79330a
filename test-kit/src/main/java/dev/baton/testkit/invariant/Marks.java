package dev.baton.testkit.invariant;

import static dev.baton.testkit.invariant.Invariants.require;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceStatus;
import org.jspecify.annotations.Nullable;

/** What only grows within an epoch. */
final class Marks {
    private Marks() {}

    static void onlyGrow(DeviceStatus last, DeviceStatus now) {
        require(now.retained() >= last.retained(), 'g', () -> "retained fell from " + last.retained());
        require(
                last.poison() == null || last.poison().equals(now.poison()),
                'g',
                () -> "the poison changed from " + last.poison() + " to " + now.poison());
        for (DeviceStatus.BufferStatus b : last.buffers()) {
            if (!b.unreleasable() && !b.unreadable() && !b.quarantined()) {
                continue;
            }
            DeviceStatus.BufferStatus n = find(now, b.handle());
            boolean kept = n == null
                    ? !b.unreleasable() && !b.quarantined()
                    : (!b.unreleasable() || n.unreleasable())
                            && (!b.unreadable() || n.unreadable())
                            && (!b.quarantined() || n.quarantined());
            require(kept, 'g', () -> "a mark of " + b.name() + " is gone: " + b + ", now " + n);
        }
    }

    private static DeviceStatus.@Nullable BufferStatus find(DeviceStatus status, BufferHandle handle) {
        for (DeviceStatus.BufferStatus b : status.buffers()) {
            if (b.handle().equals(handle)) {
                return b;
            }
        }
        return null;
    }
}
