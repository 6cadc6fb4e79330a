package dev.baton.protocol;

import java.util.Objects;

/**
 * Names one run for ever; minted by Baton at admission and never reused.
 *
 * @param device the device
 * @param epoch the epoch it was admitted in
 * @param number counted from 1 within the epoch
 */
public record RunId(String device, long epoch, long number) implements RunTarget {
    public RunId {
        Objects.requireNonNull(device, "device");
    }

    @Override
    public String toString() {
        return device + "#" + Long.toHexString(epoch) + "/run-" + number;
    }
}
