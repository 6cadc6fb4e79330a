package dev.baton.build;

import dev.baton.protocol.driver.HostMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one attempt to one space of bytes, private to it until they are applied (B10). A space is an allocation, the
 * memory from elsewhere, or one host tensor; arguments that alias share one, and see each other's writes byte by byte.
 *
 * <p>Threads of a build may write at the same time: pages hold words, each an immutable cell of bytes and of marks that say
 * which were written, replaced whole by a compare-and-set. So no thread sees half of an element that lies inside one aligned
 * word, also where arguments of other types alias it.
 */
final class Overlay {
    private static final int WORDS = 64;
    static final int PAGE_BYTES = WORDS * Long.BYTES;

    /**
     * Eight bytes.
     *
     * @param mask a bit for each byte that was written; the others are zero
     */
    private record Word(long bits, int mask) {
        static final Word EMPTY = new Word(0, 0);

        Word with(long newBits, int newMask) {
            long bytes = spread(newMask);
            return new Word((bits & ~bytes) | (newBits & bytes), mask | newMask);
        }
    }

    private static final class Page {
        final AtomicReferenceArray<@Nullable Word> words = new AtomicReferenceArray<>(WORDS);

        Word word(int k) {
            Word word = words.get(k);
            return word == null ? Word.EMPTY : word;
        }

        void put(int k, long bits, int mask) {
            Word old = words.get(k);
            while (!words.compareAndSet(k, old, (old == null ? Word.EMPTY : old).with(bits, mask))) {
                old = words.get(k);
            }
        }
    }

    /** Neighbouring written bytes. */
    record Run(long start, long end) {}

    private final ConcurrentHashMap<Long, Page> pages = new ConcurrentHashMap<>();
    private volatile boolean used;

    /** Whether nothing was written: then nobody need look further. */
    boolean unused() {
        return !used;
    }

    /** Writes the low bytes of {@code bits}; their place is unsigned. */
    void put(long place, long bits, int size) {
        int shift = (int) (place & 7);
        int mask = ((1 << size) - 1) << shift;
        page(place).put(index(place), bits << (8 * shift), mask & 0xFF);
        if (mask > 0xFF) {
            long next = (place | 7) + 1;
            page(next).put(index(next), bits >>> (8 * (8 - shift)), mask >>> 8);
        }
        if (!used) {
            used = true;
        }
    }

    /** Whether all bytes of an element were written. */
    boolean covers(long place, int size) {
        int shift = (int) (place & 7);
        int mask = word(place).mask() >>> shift;
        if (shift + size > 8) {
            mask |= word((place | 7) + 1).mask() << (8 - shift);
        }
        int all = (1 << size) - 1;
        return (mask & all) == all;
    }

    /** The bits beneath with the written bytes laid over them. */
    long over(long place, long beneath, int size) {
        int shift = (int) (place & 7);
        Word word = word(place);
        long bits = word.bits() >>> (8 * shift);
        int mask = word.mask() >>> shift;
        if (shift + size > 8) {
            Word next = word((place | 7) + 1);
            bits |= next.bits() << (8 * (8 - shift));
            mask |= next.mask() << (8 - shift);
        }
        long bytes = spread(mask & ((1 << size) - 1));
        return (beneath & ~bytes) | (bits & bytes);
    }

    private Word word(long place) {
        Page page = pages.get(key(place));
        return page == null ? Word.EMPTY : page.word(index(place));
    }

    private Page page(long place) {
        return pages.computeIfAbsent(key(place), k -> new Page());
    }

    private static long key(long place) {
        return Long.divideUnsigned(place, PAGE_BYTES);
    }

    private static int index(long place) {
        return (int) (place >>> 3) & (WORDS - 1);
    }

    /** One byte of ones for each bit. */
    private static long spread(int mask) {
        long bytes = 0;
        for (int i = 0; i < 8; i++) {
            bytes |= ((mask >>> i) & 1) == 0 ? 0 : 0xFFL << (8 * i);
        }
        return bytes;
    }

    /** All written bytes as runs of neighbours, ascending. Once the build is over. */
    List<Run> runs() {
        List<Run> runs = new ArrayList<>();
        long start = 0;
        long end = 0;
        for (Map.Entry<Long, Page> e : new TreeMap<>(pages).entrySet()) {
            for (int i = 0; i < PAGE_BYTES; i++) {
                if (((e.getValue().word(i >>> 3).mask() >>> (i & 7)) & 1) == 0) {
                    continue;
                }
                long at = e.getKey() * PAGE_BYTES + i;
                if (at != end) {
                    add(runs, start, end);
                    start = at;
                }
                end = at + 1;
            }
        }
        add(runs, start, end);
        return runs;
    }

    private static void add(List<Run> runs, long start, long end) {
        if (start != end) {
            runs.add(new Run(start, end));
        }
    }

    /** Copies the bytes of a run, or of a part of one, into memory. */
    void copy(long start, long end, HostMemory to, long offset) {
        ByteBuffer some = ByteBuffer.allocate(PAGE_BYTES);
        long at = start;
        while (at != end) {
            Page page = page(at);
            int first = (int) Long.remainderUnsigned(at, PAGE_BYTES);
            int count = (int) Math.min(PAGE_BYTES - first, end - at);
            some.clear();
            for (int i = 0; i < count; i++) {
                some.put(i, (byte) (page.word((first + i) >>> 3).bits() >>> (8 * ((first + i) & 7))));
            }
            to.put(offset + (at - start), some.limit(count));
            at += count;
        }
    }
}
