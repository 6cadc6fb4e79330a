package dev.baton.benchmarks;

import java.util.List;

/** One benchmark: a value against a baseline that is measured in the same process and run. */
public interface Bench {
    /** The lines it gives, by name. */
    List<String> names();

    /** Measures; {@code wanted} names at least one of {@link #names}. */
    List<Line> run(List<String> wanted, Effort effort) throws Exception;

    /** How long it may take. */
    enum Effort {
        /** To see that it works. */
        SHORT(1, 20),
        /** Figures that may be quoted: a second or so for each. */
        FULL(7, 1000);

        /** Rounds, of which the median counts. */
        final int rounds;
        /** Time of one round. */
        final long roundMillis;

        Effort(int rounds, long millis) {
            this.rounds = rounds;
            this.roundMillis = Math.max(5, millis / rounds);
        }
    }

    /**
     * What came out.
     *
     * @param bench name of the line
     * @param value in {@code unit}
     * @param baseline in the same unit
     * @param goal what the ratio should be: at most that if {@code atMost}, else at least that
     */
    record Line(String bench, double value, String unit, double baseline, double goal, boolean atMost) {
        public double ratio() {
            return value / baseline;
        }

        /** Whether the goal is met. */
        public boolean met() {
            return atMost ? ratio() <= goal : ratio() >= goal;
        }
    }
}
