package dev.baton.protocol.driver;

/** The driver can't prepare this run beside the live ones; it will be prepared once more at the front (N6). */
public final class IncompatibleException extends DriverException {
    private static final long serialVersionUID = 1L;

    public IncompatibleException(String message) {
        super(message);
    }
}
