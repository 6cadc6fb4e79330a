package dev.baton.protocol.build;

/**
 * Unwinds a build whose access had no value. Code that swallows it changes nothing: the attempt's first failure is
 * latched already and decides alone (B4).
 */
public final class BuildSignal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Access answer;

    public BuildSignal(Access answer) {
        super(answer.toString(), null, false, false);
        this.answer = answer;
    }

    /** The answer that had no value. */
    public Access answer() {
        return answer;
    }
}
