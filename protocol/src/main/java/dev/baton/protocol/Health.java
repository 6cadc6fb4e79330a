package dev.baton.protocol;

/** Health of a device, a value that others can watch (F4). */
public enum Health {
    OPEN,
    POISONED,
    FAILED,
    CLOSED
}
