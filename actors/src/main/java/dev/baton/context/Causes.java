package dev.baton.context;

/** Failures as one sentence for a person. */
final class Causes {
    private Causes() {}

    static String text(Throwable failure) {
        String message = failure.getMessage();
        boolean ours = failure instanceof dev.baton.protocol.driver.DriverException;
        if (message == null || message.isBlank()) {
            return failure.getClass().getSimpleName();
        }
        return ours ? message : failure.getClass().getSimpleName() + ": " + message;
    }
}
