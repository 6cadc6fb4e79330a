package dev.baton.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.driver.HostMemory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OverlayTest {
    static LongStream seeds() {
        return Seeds.first(100);
    }

    @Test
    void isUnusedUntilTheFirstWrite() {
        Overlay o = new Overlay();
        assertThat(o.unused()).isTrue();
        assertThat(o.runs()).isEmpty();
        assertThat(o.over(4, 0x1234, 4)).isEqualTo(0x1234);
        o.put(4, 1, 1);
        assertThat(o.unused()).isFalse();
    }

    @Test
    void writtenBytesLieOverThoseBeneath() {
        Overlay o = new Overlay();
        o.put(2, 0xBBAA, 2);
        assertThat(o.over(0, 0x44332211, 4)).isEqualTo(0xBBAA2211L);
        assertThat(o.over(3, 0, 4)).isEqualTo(0xBB);
        assertThat(o.covers(2, 2)).isTrue();
        assertThat(o.covers(1, 2)).isFalse();
        assertThat(o.covers(3, 2)).isFalse();
    }

    @Test
    void anElementMayLieAcrossWordsAndPages() {
        Overlay o = new Overlay();
        long place = Overlay.PAGE_BYTES - 3;
        o.put(place, 0x8877665544332211L, 8);
        assertThat(o.over(place, 0, 8)).isEqualTo(0x8877665544332211L);
        assertThat(o.covers(place, 8)).isTrue();
        assertThat(o.runs()).containsExactly(new Overlay.Run(place, place + 8));
    }

    @Test
    void addressesAreUnsigned() {
        Overlay o = new Overlay();
        long high = 0xFFFF_FFFF_FFFF_FF00L;
        o.put(high, 7, 4);
        o.put(16, 5, 4);
        assertThat(o.over(high, 0, 4)).isEqualTo(7);
        assertThat(o.runs()).containsExactly(new Overlay.Run(16, 20), new Overlay.Run(high, high + 4));
    }

    @Test
    void neighboursAreMerged() {
        Overlay o = new Overlay();
        for (int i = 0; i < 1000; i++) {
            o.put(4L * i, i, 4);
        }
        o.put(4100, 1, 1);
        assertThat(o.runs()).isEqualTo(List.of(new Overlay.Run(0, 4000), new Overlay.Run(4100, 4101)));
        HostMemory to = HostMemory.allocate(4000);
        o.copy(0, 4000, to, 0);
        assertThat(to.single().getInt(3996)).isEqualTo(999);
        o.copy(4, 8, to, 12);
        assertThat(to.single().getInt(12)).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void isAMapOfBytes(long seed) {
        Random random = new Random(seed);
        Map<Long, Byte> model = new HashMap<>();
        Overlay o = new Overlay();
        int range = 1 + random.nextInt(2000);
        for (int step = 0; step < 200; step++) {
            long place = random.nextInt(range);
            int size = 1 << random.nextInt(4);
            long bits = random.nextLong();
            o.put(place, bits, size);
            for (int i = 0; i < size; i++) {
                model.put(place + i, (byte) (bits >>> (8 * i)));
            }
            long look = random.nextInt(range);
            long beneath = size == 8 ? random.nextLong() : random.nextLong() & ((1L << (8 * size)) - 1);
            long should = beneath;
            boolean covered = true;
            for (int i = 0; i < size; i++) {
                Byte b = model.get(look + i);
                covered &= b != null;
                if (b != null) {
                    should = (should & ~(0xFFL << (8 * i))) | ((b & 0xFFL) << (8 * i));
                }
            }
            String replay = Seeds.replay(OverlayTest.class, seed);
            assertThat(o.over(look, beneath, size)).as(replay).isEqualTo(should);
            assertThat(o.covers(look, size)).as(replay).isEqualTo(covered);
        }
        TreeSet<Long> bytes = new TreeSet<>();
        for (Overlay.Run run : o.runs()) {
            assertThat(model).doesNotContainKey(run.start() - 1).doesNotContainKey(run.end());
            HostMemory to = HostMemory.allocate(run.end() - run.start());
            o.copy(run.start(), run.end(), to, 0);
            for (long at = run.start(); at < run.end(); at++) {
                bytes.add(at);
                assertThat(to.single().get((int) (at - run.start()))).isEqualTo(model.get(at));
            }
        }
        assertThat(bytes).as(Seeds.replay(OverlayTest.class, seed)).isEqualTo(new TreeSet<>(model.keySet()));
    }
}
