package dev.baton.supervision;

import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.Refusal;
import dev.baton.protocol.RefusalCode;
import org.jspecify.annotations.Nullable;

/** Where a device stands as a whole, and which commands each state refuses (F3, F4). */
enum DoorState {
    OPEN,
    CLOSING,
    CLOSED,
    RESETTING,
    FAILED;

    /** Why a command is refused in this state, or null if it is passed on. */
    @Nullable
    Refusal refusalOf(DeviceCommand c, String device) {
        return switch (this) {
            case OPEN -> null;
            case CLOSING ->
                goesOnWhileClosing(c)
                        ? null
                        : Refusal.of(RefusalCode.CLOSED, "device " + device + " is closing; it takes no new work");
            case CLOSED -> Refusal.of(RefusalCode.CLOSED, "device " + device + " is closed; open it anew");
            case RESETTING ->
                Refusal.of(
                        RefusalCode.RESETTING, "device " + device + " is being reset; ask again when that is answered");
            case FAILED ->
                Refusal.of(RefusalCode.DEVICE_FAILED, "device " + device + " has failed; reset it or close it");
        };
    }

    private static boolean goesOnWhileClosing(DeviceCommand c) {
        return c instanceof DeviceCommand.Free
                || c instanceof DeviceCommand.Read
                || c instanceof DeviceCommand.Abandon
                || c instanceof DeviceCommand.Revalidate
                || c instanceof DeviceCommand.Drain
                || c instanceof DeviceCommand.GiveBack;
    }
}
