package dev.baton.sim;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The faults that were asked for. Used inside the device's gate. */
final class Faults {
    private final Map<String, Map<Point, Fault>> ofRuns = new HashMap<>();
    private final Map<CallKind, Integer> next = new EnumMap<>(CallKind.class);

    void put(String run, Point point, Fault fault) {
        if (!fault.fits(point)) {
            throw new IllegalArgumentException(fault + " can't happen at " + point.label());
        }
        ofRuns.computeIfAbsent(run, r -> new EnumMap<>(Point.class)).put(point, fault);
    }

    @Nullable
    Fault at(String run, Point point) {
        Map<Point, Fault> of = ofRuns.get(run);
        return of == null ? null : of.get(point);
    }

    void next(CallKind kind, int times) {
        next.put(kind, times);
    }

    boolean take(CallKind kind) {
        int left = next.getOrDefault(kind, 0);
        if (left > 0) {
            next.put(kind, left - 1);
        }
        return left > 0;
    }

    void forget(Set<String> runs) {
        ofRuns.keySet().removeAll(runs);
    }
}
