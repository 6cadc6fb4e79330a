package dev.baton.testkit.explore;

import org.jspecify.annotations.Nullable;

/**
 * What an exploration came to.
 *
 * @param programs how many were played
 * @param commands how many commands these sent
 * @param seconds how long it took, in real time
 * @param violation the first that was found, or null
 */
public record Report(
        long programs,
        long commands,
        double seconds,
        @Nullable Finding violation) {
    /** Programs in each second. */
    public double programsPerSecond() {
        return seconds > 0 ? programs / seconds : 0;
    }

    /** One sentence for people. */
    public String summary() {
        return String.format(
                java.util.Locale.ROOT,
                "%d programs, %d commands, %.0f programs per second",
                programs,
                commands,
                programsPerSecond());
    }
}
