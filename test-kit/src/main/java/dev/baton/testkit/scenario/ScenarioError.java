package dev.baton.testkit.scenario;

/** A scenario file that can't be read or understood; the message names file, step and key. */
public final class ScenarioError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ScenarioError(String message) {
        super(message);
    }
}
