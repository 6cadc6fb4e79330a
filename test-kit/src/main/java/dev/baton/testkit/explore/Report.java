package dev.baton.testkit.explore;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What an exploration came to.
 *
 * @param programs how many were played
 * @param commands how many commands these sent
 * @param seconds how long it took, in real time
 * @param processorSeconds how much processor time the process used meanwhile, all threads together: the compiler and the collector
 *     of the JVM too. Zero if that can't be told
 * @param violation the first that was found, or null
 */
public record Report(
        long programs,
        long commands,
        double seconds,
        double processorSeconds,
        @Nullable Finding violation) {
    /** Programs in each second of real time. */
    public double programsPerSecond() {
        return seconds > 0 ? programs / seconds : 0;
    }

    /** Programs in each second of one core. */
    public double programsPerCoreSecond() {
        return processorSeconds > 0 ? programs / processorSeconds : programsPerSecond();
    }

    /** One sentence for people. */
    public String summary() {
        return String.format(
                Locale.ROOT,
                "%d programs, %d commands in %.1f s: %.0f programs per second, %.0f per second of one core",
                programs,
                commands,
                seconds,
                programsPerSecond(),
                programsPerCoreSecond());
    }
}
