package dev.baton.sim;

/** A run touched what it must not; the message is a sentence naming run, argument and address. */
final class KernelFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    KernelFault(String message) {
        super(message, null, false, false);
    }
}
