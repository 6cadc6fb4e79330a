package dev.baton.ledger;

/** What one message can carry. */
final class HostLimits {
    /** Most bytes of one Read: what one Java buffer holds. */
    static final long MAX_READ_BYTES = Integer.MAX_VALUE - 8L;

    private HostLimits() {}
}
