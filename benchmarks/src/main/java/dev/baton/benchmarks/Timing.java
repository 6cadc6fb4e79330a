package dev.baton.benchmarks;

import java.util.Arrays;

/** Times bodies: rounds of equal length after a warm-up of the same kind, of which the median counts. */
final class Timing {
    /** Something to be repeated. */
    interface Body {
        /** Does it {@code times} times; gives something that depends on all of it, so that nothing is optimised away. */
        long run(int times) throws Exception;
    }

    /** What bodies gave: read by nobody, written so that the work can't be left out. */
    static volatile long sink;

    private Timing() {}

    /** Nanoseconds that one time takes. */
    static double nanosPer(Bench.Effort effort, Body body) throws Exception {
        return nanosPer(effort, new Body[] {body})[0];
    }

    /** The same for several bodies, round by round in turn, so that what disturbs one disturbs the others. */
    static double[] nanosPer(Bench.Effort effort, Body... bodies) throws Exception {
        long roundNanos = effort.roundMillis * 1_000_000;
        int[] times = new int[bodies.length];
        for (int b = 0; b < bodies.length; b++) {
            times[b] = calibrated(bodies[b], roundNanos);
        }
        double[][] nanos = new double[bodies.length][effort.rounds];
        for (int r = 0; r < effort.rounds; r++) {
            for (int b = 0; b < bodies.length; b++) {
                long start = System.nanoTime();
                sink += bodies[b].run(times[b]);
                nanos[b][r] = (double) (System.nanoTime() - start) / times[b];
            }
        }
        return Arrays.stream(nanos).mapToDouble(Timing::median).toArray();
    }

    /** How often it can be done in a round; finding out warms it up. */
    private static int calibrated(Body body, long roundNanos) throws Exception {
        long times = 1;
        for (int steady = 0; steady < 3; ) {
            long start = System.nanoTime();
            sink += body.run((int) times);
            long took = Math.max(1, System.nanoTime() - start);
            long next = Math.max(1, Math.min(1 << 28, times * roundNanos / took));
            steady = took * 2 > roundNanos || next == times ? steady + 1 : 0;
            times = Math.min(next, times * 16);
        }
        return (int) times;
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
