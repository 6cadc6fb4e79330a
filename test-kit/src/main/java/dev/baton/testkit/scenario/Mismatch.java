package dev.baton.testkit.scenario;

/** A step whose expectation did not hold. */
final class Mismatch extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Mismatch(String message) {
        super(message);
    }
}
