package dev.baton.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.DataType;
import dev.baton.protocol.Extent;
import dev.baton.protocol.RawAddress;
import dev.baton.protocol.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LayoutTest {
    private static List<Long> offsets(Layout l) {
        List<Long> all = new ArrayList<>();
        for (long e = 0; e < l.elements(); e++) {
            all.add(l.offset(e));
        }
        return all;
    }

    @Test
    void rowMajorByDefault() {
        Layout l = new Layout(DataType.F32, List.of(2L, 3L), List.of());
        assertThat(offsets(l)).containsExactly(0L, 4L, 8L, 12L, 16L, 20L);
        assertThat(l.rowMajor()).isTrue();
        assertThat(l.low()).isZero();
        assertThat(l.high()).isEqualTo(24);
    }

    @Test
    void stridesThatSayRowMajorAreRowMajor() {
        assertThat(new Layout(DataType.F32, List.of(2L, 3L), List.of(3L, 1L)).rowMajor())
                .isTrue();
        // the stride of a dimension of one element leads nowhere
        assertThat(new Layout(DataType.F32, List.of(1L, 3L), List.of(99L, 1L)).rowMajor())
                .isTrue();
        assertThat(new Layout(DataType.F32, List.of(2L, 3L), List.of(4L, 1L)).rowMajor())
                .isFalse();
    }

    @Test
    void stridesAreRespected() {
        Layout transposed = new Layout(DataType.F64, List.of(3L, 2L), List.of(1L, 3L));
        assertThat(offsets(transposed)).containsExactly(0L, 24L, 8L, 32L, 16L, 40L);
        Layout backwards = new Layout(DataType.I16, List.of(3L), List.of(-2L));
        assertThat(offsets(backwards)).containsExactly(0L, -4L, -8L);
        assertThat(backwards.low()).isEqualTo(-8);
        assertThat(backwards.high()).isEqualTo(2);
        Layout broadcast = new Layout(DataType.I8, List.of(2L, 2L), List.of(0L, 1L));
        assertThat(offsets(broadcast)).containsExactly(0L, 1L, 0L, 1L);
    }

    @Test
    void coversWhatTheTensorsSpanCovers() {
        for (List<Long> strides : List.of(List.<Long>of(), List.of(7L, -2L), List.of(-3L, 1L), List.of(0L, 5L))) {
            Tensor t = new Tensor(new RawAddress(0x1000), 64, DataType.F32, List.of(2L, 3L), strides);
            Extent e = t.extent();
            Layout l = new Layout(DataType.F32, t.shape(), strides);
            assertThat(64 + l.low()).isEqualTo(e.start());
            assertThat(l.high() - l.low()).isEqualTo(e.length());
        }
    }

    @Test
    void noElementsAndOneElement() {
        Layout none = new Layout(DataType.F32, List.of(3L, 0L), List.of(5L, 1L));
        assertThat(none.elements()).isZero();
        assertThat(none.has(0)).isFalse();
        assertThat(none.high() - none.low()).isZero();
        Layout single = new Layout(DataType.F32, List.of(), List.of());
        assertThat(single.has(0)).isTrue();
        assertThat(single.has(-1)).isFalse();
        assertThat(single.has(1)).isFalse();
        assertThat(single.high()).isEqualTo(4);
    }
}
