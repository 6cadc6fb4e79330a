package dev.baton.testkit.invariant;

/** A command that was sent and must be answered exactly once. */
public final class Owed {
    final String what;
    int answers;

    Owed(String what) {
        this.what = what;
    }
}
