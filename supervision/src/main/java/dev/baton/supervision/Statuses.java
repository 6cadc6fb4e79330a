package dev.baton.supervision;

import dev.baton.context.DoorMessage;
import dev.baton.lane.Lane;
import dev.baton.ledger.LedgerView;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.Health;
import dev.baton.protocol.LaneState;
import dev.baton.protocol.Poison;
import dev.baton.protocol.driver.Device;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts a status together from its parts. */
final class Statuses {
    private Statuses() {}

    static DeviceStatus of(
            String name,
            DoorState state,
            Health health,
            @Nullable Poison poison,
            Device device,
            int quarantined,
            DoorMessage.StatusParts parts) {
        LedgerView l = parts.ledger();
        List<DeviceStatus.RunStatus> runs = new ArrayList<>();
        for (Lane.RunView r : parts.runs()) {
            runs.add(new DeviceStatus.RunStatus(
                    r.work().id(),
                    r.work().name(),
                    r.work().callable().spec().name(),
                    r.work().dispatch(),
                    r.phase(),
                    r.slot(),
                    r.attempt(),
                    r.held(),
                    r.waitsFor()));
        }
        Poison cause = l.poison() != null ? l.poison() : poison;
        return new DeviceStatus(
                name,
                parts.epoch(),
                lane(state, cause),
                health,
                true,
                l.queued(),
                l.inSlots(),
                l.allocated(),
                l.retained(),
                quarantined,
                l.pendingCopies(),
                device.capabilities().memoryBytes(),
                l.allocatedBytes(),
                cause,
                runs,
                l.buffers());
    }

    static DeviceStatus withoutTable(
            String name,
            long epoch,
            DoorState state,
            Health health,
            @Nullable Poison poison,
            Device device,
            int quarantined) {
        return new DeviceStatus(
                name,
                epoch,
                lane(state, poison),
                health,
                false,
                0,
                0,
                0,
                0,
                quarantined,
                0,
                device.capabilities().memoryBytes(),
                0,
                poison,
                List.of(),
                List.of());
    }

    private static LaneState lane(DoorState state, @Nullable Poison poison) {
        return switch (state) {
            case OPEN -> poison == null ? LaneState.OPEN : LaneState.POISONED;
            case CLOSING -> poison == null ? LaneState.CLOSING : LaneState.POISONED;
            case CLOSED -> LaneState.CLOSED;
            case RESETTING -> LaneState.RESETTING;
            case FAILED -> LaneState.FAILED;
        };
    }
}
