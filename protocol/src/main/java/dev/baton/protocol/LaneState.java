package dev.baton.protocol;

/** What a person calls the state of a device's lane. */
public enum LaneState {
    OPEN,
    /** Accepts and launches nothing more because some run ended unproven; also while closing. */
    POISONED,
    CLOSING,
    CLOSED,
    RESETTING,
    /** An actor that held the state died, or a reset was not proven; everything is refused until a reset. */
    FAILED
}
