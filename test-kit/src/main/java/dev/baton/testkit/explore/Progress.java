package dev.baton.testkit.explore;

/**
 * How far an exploration has come.
 *
 * @param seed the last seed that was played
 * @param programs how many programs were played
 * @param seconds real time since it began
 */
public record Progress(long seed, long programs, double seconds) {
    /** Programs in each second so far. */
    public double programsPerSecond() {
        return seconds > 0 ? programs / seconds : 0;
    }
}
