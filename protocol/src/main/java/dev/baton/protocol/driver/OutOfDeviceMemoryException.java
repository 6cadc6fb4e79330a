package dev.baton.protocol.driver;

/** An allocation that does not fit. */
public final class OutOfDeviceMemoryException extends DriverException {
    private static final long serialVersionUID = 1L;

    public OutOfDeviceMemoryException(String message) {
        super(message);
    }
}
