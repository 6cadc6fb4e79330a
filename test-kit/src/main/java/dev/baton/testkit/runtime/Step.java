package dev.baton.testkit.runtime;

/**
 * Something that is ready to run to its end: a message of an actor, a callback, a forked body.
 *
 * @param label what it is called in the trace; the first criterion of order
 * @param seq when it became ready; the second
 * @param body what runs
 * @param place where it may run
 * @param nests whether other steps may run on its thread while it waits
 */
record Step(String label, long seq, Runnable body, Place place, boolean nests) {
    /** Where a step may run. */
    enum Place {
        /** On any thread, inside waits too: it never waits itself. */
        ANYWHERE,
        /** On any thread that can be set aside. */
        WORKER,
        /** As {@link #WORKER}, but each actor has one of its own for life. */
        OWN_WORKER
    }

    boolean mayWait() {
        return place != Place.ANYWHERE;
    }
}
