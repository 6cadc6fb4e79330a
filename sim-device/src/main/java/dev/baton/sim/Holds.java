package dev.baton.sim;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which points are armed and what stands there. Used inside the device's gate. */
final class Holds {
    /** The point's name for calls, which are known by their label. */
    static final String CALL = "call";

    private final Set<Held> armed = new HashSet<>();
    private final Set<Held> skipped = new HashSet<>();
    private final List<Stop> standing = new ArrayList<>();

    void arm(Held at) {
        armed.add(at);
    }

    /** The stop to stand at, or null to go on. A call's hold holds once, a run's at each preparation. */
    @Nullable
    Stop arrive(Held at) {
        if (!armed.contains(at)) {
            return null;
        }
        if (at.point().equals(CALL)) {
            armed.remove(at);
        }
        if (skipped.remove(at)) {
            return null;
        }
        Stop stop = new Stop(at);
        standing.add(stop);
        return stop;
    }

    /** Lets what stands there go on; if nothing does, the next arrival does not hold. */
    void go(Held at) {
        boolean found = false;
        for (Stop s : List.copyOf(standing)) {
            if (s.at.equals(at)) {
                s.open = true;
                standing.remove(s);
                found = true;
            }
        }
        if (!found) {
            skipped.add(at);
        }
    }

    void leave(Stop stop) {
        standing.remove(stop);
    }

    List<Held> standing() {
        List<Held> list = new ArrayList<>();
        for (Stop s : standing) {
            list.add(s.at);
        }
        return list;
    }

    void releaseAll() {
        armed.clear();
        skipped.clear();
        for (Stop s : standing) {
            s.open = true;
        }
        standing.clear();
    }

    /** After a reset: nothing stands any more, and the holds of these runs are gone. */
    void forget(Set<String> runs) {
        for (Stop s : standing) {
            s.open = true;
        }
        standing.clear();
        armed.removeIf(h -> !h.point().equals(CALL) && runs.contains(h.what()));
        skipped.removeIf(h -> !h.point().equals(CALL) && runs.contains(h.what()));
    }
}
