package dev.baton.protocol.driver;

/**
 * What a reset came to.
 *
 * @param proven whether the driver proved that the device is quiet (F4)
 * @param message why not, or what was done
 */
public record ResetOutcome(boolean proven, String message) {}
