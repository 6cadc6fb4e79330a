package dev.baton.testkit.runtime;

import org.jspecify.annotations.Nullable;

/** A thread's place in the runtime. Touched only by the thread that has the turn. */
final class Seat {
    final Thread thread;

    /** What the thread runs; null for the owner in the test's own code and for a free worker. */
    @Nullable
    Step current;

    /** Whether the thread is in the hook of a test that is called at rest. */
    boolean inHook;

    /** The innermost wait in which the thread stands: the only one that it can come out of. */
    @Nullable
    Wait innermost;

    Seat(Thread thread) {
        this.thread = thread;
    }
}
