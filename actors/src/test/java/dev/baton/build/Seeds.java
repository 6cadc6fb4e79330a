package dev.baton.build;

import java.util.stream.LongStream;

/** Seeds of random tests; {@code -Dseed=N} replays one. */
final class Seeds {
    private Seeds() {}

    static LongStream first(int count) {
        Long one = Long.getLong("seed");
        return one == null ? LongStream.rangeClosed(1, count) : LongStream.of(one);
    }

    static String replay(Class<?> test, long seed) {
        return "seed " + seed + "; replay: mvn -pl actors -am test -Dsurefire.failIfNoSpecifiedTests=false -Dtest="
                + test.getSimpleName() + " -Dseed=" + seed;
    }
}
