package dev.baton.cli;

/** Something the user can mend: told in one sentence, without a stack trace. */
public final class UserError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UserError(String message) {
        super(message);
    }
}
