package dev.baton.protocol;

import java.util.Objects;

/**
 * A slot held by a client for its own runs (N8).
 *
 * @param device the device
 * @param epoch the epoch it was given in
 * @param slot the slot's index, from zero
 * @param generation raised by each leasing; an older one is stale
 */
public record Lease(String device, long epoch, int slot, long generation) {
    public Lease {
        Objects.requireNonNull(device, "device");
    }
}
