package dev.baton.testkit.runtime;

/** Thrown out of a wait that was still standing when its runtime was closed. */
public final class RuntimeClosed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RuntimeClosed() {
        super("the deterministic runtime was closed");
    }
}
