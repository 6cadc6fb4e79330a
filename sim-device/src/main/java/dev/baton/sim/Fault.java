package dev.baton.sim;

import java.util.Locale;

/** What goes wrong at a {@link Point}. */
public enum Fault {
    /** The call, or the run's execution, fails. */
    ERROR,
    /** An early preparation is refused as incompatible. */
    INCOMPATIBLE,
    /** The run never ends on the device. */
    HANG;

    /** Whether this can happen at that point. */
    public boolean fits(Point point) {
        return switch (this) {
            case ERROR -> point != Point.BUILD;
            case INCOMPATIBLE -> point == Point.PREPARE;
            case HANG -> point == Point.EXECUTE;
        };
    }

    /**
     * The fault of a name as scenario files write it.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Fault of(String label) {
        for (Fault f : values()) {
            if (f.name().toLowerCase(Locale.ROOT).equals(label)) {
                return f;
            }
        }
        throw new IllegalArgumentException("unknown fault: " + label);
    }
}
