package dev.baton.build;

import dev.baton.protocol.driver.HostMemory;

/** Bytes of an overlay that are written to the device right before launch (B10). */
public record DeviceWrite(long address, HostMemory bytes) {}
