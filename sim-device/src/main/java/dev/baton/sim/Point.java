package dev.baton.sim;

import java.util.Locale;

/** Where a run can be stopped or made to fail. */
public enum Point {
    BUILD,
    PREPARE,
    LAUNCH,
    EXECUTE,
    FINALIZE,
    CLEANUP,
    POLL;

    /** The name as scenario files write it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The point of a name as scenario files write it.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Point of(String label) {
        for (Point p : values()) {
            if (p.label().equals(label)) {
                return p;
            }
        }
        throw new IllegalArgumentException("unknown point: " + label);
    }
}
