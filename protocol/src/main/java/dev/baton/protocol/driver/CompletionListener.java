package dev.baton.protocol.driver;

/** Hears that a launched run may have ended. The implementation only posts a message (R27). */
@FunctionalInterface
public interface CompletionListener {
    void ended();
}
