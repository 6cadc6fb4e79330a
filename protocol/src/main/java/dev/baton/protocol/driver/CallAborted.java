package dev.baton.protocol.driver;

/**
 * Thrown out of a wait when the actor that stands in it is to die. Drivers, builds and Baton let it pass; whoever swallows it
 * only delays the death.
 */
public final class CallAborted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CallAborted(String message) {
        super(message);
    }
}
