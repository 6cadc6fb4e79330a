package dev.baton.protocol;

/**
 * A device address as it is, for memory that Baton did not allocate (N5). It resolves by address alone (L10).
 *
 * @param value the address, unsigned
 */
public record RawAddress(long value) implements Location {
    @Override
    public String toString() {
        return "0x" + Long.toHexString(value);
    }
}
