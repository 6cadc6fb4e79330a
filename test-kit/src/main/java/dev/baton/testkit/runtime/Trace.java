package dev.baton.testkit.runtime;

import java.util.ArrayList;
import java.util.List;

/**
 * What a program did, in order: a hash of everything, the last entries, and all of them if asked for. Touched only by the thread
 * that has the turn.
 */
final class Trace {
    /** How many of the last entries are kept for messages. A power of two. */
    static final int TAIL = 128;

    /** A ready step ran. */
    static final char STEP = '.';

    /** A wait went on. */
    static final char RESUMED = '+';

    /** A wait was made to throw. */
    static final char FAILED = '!';

    /** Time moved. */
    static final char TIME = '@';

    private static final long FNV_PRIME = 0x100000001B3L;
    private static final long FNV_BASIS = 0xCBF29CE484222325L;

    private final boolean recordsAll;
    private final List<String> all = new ArrayList<>();
    private final String[] labels = new String[TAIL];
    private final char[] kinds = new char[TAIL];
    private long count;
    private long hash = FNV_BASIS;

    Trace(boolean recordsAll) {
        this.recordsAll = recordsAll;
    }

    void add(char kind, String label) {
        hash = (hash ^ (label.hashCode() * 31L + kind)) * FNV_PRIME;
        int at = (int) count & (TAIL - 1);
        labels[at] = label;
        kinds[at] = kind;
        count++;
        if (recordsAll) {
            all.add(entry(kind, label));
        }
    }

    void time(long nanos) {
        add(TIME, nanos + "ns");
    }

    private static String entry(char kind, String label) {
        return kind == STEP ? label : kind + label;
    }

    long hash() {
        return hash;
    }

    List<String> tail() {
        List<String> tail = new ArrayList<>();
        for (long i = Math.max(0, count - TAIL); i < count; i++) {
            int at = (int) i & (TAIL - 1);
            tail.add(entry(kinds[at], labels[at]));
        }
        return tail;
    }

    List<String> entries() {
        return recordsAll ? List.copyOf(all) : tail();
    }

    void clear() {
        all.clear();
        count = 0;
        hash = FNV_BASIS;
    }
}
