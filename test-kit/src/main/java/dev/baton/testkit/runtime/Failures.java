package dev.baton.testkit.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What went wrong beside the program: throwables that nobody caught, and threads that don't belong here. Any thread. */
final class Failures {
    /** Most throwables, and most foreign threads, that are remembered; the first ones say enough. */
    static final int MOST = 100;

    private final ConcurrentLinkedQueue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    private final Map<String, String> foreign = new ConcurrentHashMap<>();

    void uncaught(Throwable cause) {
        if (uncaught.size() < MOST) {
            uncaught.add(cause);
        }
    }

    /** The calling thread did something that only threads of the runtime may do. */
    void foreign(String deed) {
        if (foreign.size() < MOST) {
            foreign.putIfAbsent(Thread.currentThread().getName(), deed);
        }
    }

    List<Throwable> uncaught() {
        return List.copyOf(uncaught);
    }

    List<String> foreign() {
        List<String> all = new ArrayList<>();
        foreign.forEach((thread, deed) -> all.add(thread + ": " + deed));
        all.sort(null);
        return all;
    }

    void forgetUncaught() {
        uncaught.clear();
    }
}
