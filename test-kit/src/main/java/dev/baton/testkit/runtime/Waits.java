package dev.baton.testkit.runtime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The threads that stand in waits. Touched only by the thread that has the turn. */
final class Waits {
    /** Waits for conditions, sorted by label, then by age. */
    private final List<Wait> standing = new ArrayList<>();

    private final List<Wait> able = new ArrayList<>();

    /** Waits for rest, the innermost first: the system can't be handed back to an outer one before. */
    private final Deque<Wait> rests = new ArrayDeque<>();

    void add(Wait wait) {
        if (wait.forRest) {
            rests.push(wait);
            return;
        }
        int at = standing.size();
        while (at > 0 && standing.get(at - 1).label.compareTo(wait.label) > 0) {
            at--;
        }
        standing.add(at, wait);
    }

    void remove(Wait wait) {
        if (wait.forRest) {
            rests.remove(wait);
        } else {
            standing.remove(wait);
        }
    }

    /** Asks every condition; how many waits for conditions can go on. */
    int findAble(long absoluteNanos) {
        able.clear();
        for (int i = 0; i < standing.size(); i++) {
            Wait wait = standing.get(i);
            if (wait.able(absoluteNanos)) {
                able.add(wait);
            }
        }
        return able.size();
    }

    /** One of those found last. */
    Wait able(int index) {
        return able.get(index);
    }

    /** Of those found last the one that has stood longest. */
    int oldestAble() {
        int oldest = 0;
        for (int i = 1; i < able.size(); i++) {
            if (able.get(i).seq < able.get(oldest).seq) {
                oldest = i;
            }
        }
        return oldest;
    }

    boolean isEmpty() {
        return standing.isEmpty();
    }

    /** Who gets the turn at rest. */
    Wait rest() {
        return rests.getFirst();
    }

    boolean inject(Predicate<String> label, Supplier<? extends RuntimeException> failure) {
        for (Wait wait : standing) {
            if (wait.failure == null && label.test(wait.label)) {
                wait.failure = failure.get();
                return true;
            }
        }
        return false;
    }

    List<String> labels() {
        return standing.stream().map(w -> w.label).toList();
    }
}
