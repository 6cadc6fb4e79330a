package dev.baton.protocol.driver;

/** A driver call that failed and says why. Unchecked throwables mean the same, with less to tell. */
public class DriverException extends Exception {
    private static final long serialVersionUID = 1L;

    public DriverException(String message) {
        super(message);
    }

    public DriverException(String message, Throwable cause) {
        super(message, cause);
    }
}
