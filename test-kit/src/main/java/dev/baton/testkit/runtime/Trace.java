package dev.baton.testkit.runtime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** What was run, in order: a hash of all labels, the last ones, and all if asked for. */
final class Trace {
    /** How many of the last labels are kept for messages. */
    static final int TAIL = 200;

    private final boolean all;
    private final List<String> full = new ArrayList<>();
    private final ArrayDeque<String> tail = new ArrayDeque<>();
    private long hash = 1125899906842597L;

    Trace(boolean all) {
        this.all = all;
    }

    void add(String label) {
        hash = 31 * hash + label.hashCode();
        if (all) {
            full.add(label);
        }
        if (tail.size() == TAIL) {
            tail.poll();
        }
        tail.add(label);
    }

    long hash() {
        return hash;
    }

    List<String> labels() {
        return all ? List.copyOf(full) : List.copyOf(tail);
    }

    void clear() {
        full.clear();
        tail.clear();
        hash = 1125899906842597L;
    }
}
