package dev.baton.embedding;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The calls of one client that wait for an answer: as many as the door owes it (owed-commands). When the actor system ends,
 * nobody will answer: they fail, and so does every later one.
 */
final class Outstanding {
    /** Who waits for the answers of one command. */
    interface Call {
        /** Whether the answer is the last one. */
        boolean hear(Object answer);

        /** No answer will come any more. Does nothing if the last one has come. */
        void fail(RuntimeException cause);
    }

    private final String device;
    private final Set<Call> calls = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;

    Outstanding(String device) {
        this.device = device;
    }

    void add(Call call) {
        calls.add(call);
        // after the add: a call that the end did not see sees the end
        if (ended) {
            fail(call);
        }
    }

    void answered(Call call) {
        calls.remove(call);
    }

    /** The actor system is ending. */
    void end() {
        ended = true;
        calls.forEach(this::fail);
    }

    private void fail(Call call) {
        calls.remove(call);
        call.fail(new IllegalStateException("device " + device
                + ": the actor system has ended before the answer came; what became of the command is unknown"));
    }
}
