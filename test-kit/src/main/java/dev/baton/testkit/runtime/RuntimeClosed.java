package dev.baton.testkit.runtime;

/**
 * Thrown out of a wait that was still standing when its runtime was closed. An error, so that code which turns every exception into
 * an answer doesn't go on in a runtime that is gone; never let it stop at a {@code catch}.
 */
public final class RuntimeClosed extends Error {
    private static final long serialVersionUID = 1L;

    RuntimeClosed() {
        super("the deterministic runtime was closed");
    }
}
