package dev.baton.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.protocol.driver.Capabilities;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.Profile;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tensors, host tensors, scalars and capabilities. */
class ValuesTest {
    private static final RawAddress AT = new RawAddress(0);

    @Test
    void theExtentCoversAllElementsAndNothingElse() {
        assertThat(Tensor.of(AT, 4, DataType.F32, 2, 3).extent()).isEqualTo(new Extent(4, 24, true));
        assertThat(new Tensor(AT, 0, DataType.F32, List.of(2L, 2L), List.of(10L, 1L)).extent())
                .isEqualTo(new Extent(0, 48, true));
        assertThat(new Tensor(AT, 40, DataType.F32, List.of(3L), List.of(-4L)).extent())
                .isEqualTo(new Extent(8, 36, true));
        assertThat(new Tensor(AT, 8, DataType.I8, List.of(5L), List.of(0L)).extent())
                .isEqualTo(new Extent(8, 1, true));
        assertThat(Tensor.of(AT, 8, DataType.F64).extent()).isEqualTo(new Extent(8, 8, true));
        assertThat(Tensor.of(AT, 8, DataType.F64, 4, 0, 9).extent()).isEqualTo(new Extent(8, 0, true));
    }

    @Test
    void whatOverflowsOrIsNegativeIsInvalidAndNotWrong() {
        assertThat(Tensor.of(AT, 0, DataType.F64, Long.MAX_VALUE).extent().valid())
                .isFalse();
        assertThat(Tensor.of(AT, 0, DataType.I8, Long.MAX_VALUE, 3).extent().valid())
                .isFalse();
        assertThat(Tensor.of(AT, Long.MAX_VALUE, DataType.I8, 2).extent().valid())
                .isFalse();
        assertThat(Tensor.of(AT, -1, DataType.I8, 2).extent().valid()).isFalse();
        assertThat(Tensor.of(AT, 0, DataType.I8, -2).extent().valid()).isFalse();
        assertThatThrownBy(() -> new Tensor(AT, 0, DataType.I8, List.of(1L, 1L), List.of(1L)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void hostBytesAreCapturedOnceAndNeverChange() {
        for (int size : new int[] {8, HostBytes.OFF_HEAP_FROM + 8}) {
            byte[] mine = new byte[size];
            mine[3] = 7;
            HostBytes captured = HostBytes.copyOf(mine);
            mine[3] = 9;
            assertThat(captured.toArray()[3]).isEqualTo((byte) 7);
            assertThat(captured.view().isReadOnly()).isTrue();
            assertThat(captured.view().isDirect()).isEqualTo(size >= HostBytes.OFF_HEAP_FROM);
            captured.toArray()[3] = 1;
            assertThat(captured.toArray()[3]).isEqualTo((byte) 7);
        }
        assertThatThrownBy(() -> new HostTensor(DataType.F32, List.of(3L), HostBytes.ofFloats(1)))
                .hasMessageContaining("12 bytes, but 4 were given");
    }

    @ParameterizedTest
    @EnumSource(DataType.class)
    void elementsOfEveryTypeComeBackAsTheyWereWritten(DataType type) {
        ByteBuffer b = HostBytes.blank(16);
        for (double value : new double[] {0, 1, 2, 100, type == DataType.U8 ? 200 : -3}) {
            Elements.putBits(b, 8, type, Elements.fromDouble(type, value));
            assertThat(Elements.toDouble(type, Elements.bitsAt(b, 8, type))).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "F16, 65504, 65504", "F16, 65520, Infinity", "F16, 5.9604644775390625E-8, 5.9604644775390625E-8",
                "F16, 2.0E-8, 0",
        "F16, 1.00048828125, 1", "F16, 1.00146484375, 1.001953125", "F16, -0.333, -0.3330078125", "F16, NaN, NaN",
        "BF16, 3.14159, 3.140625", "BF16, 1.00390625, 1", "BF16, 1.01171875, 1.015625", "BF16, NaN, NaN"
    })
    void narrowFloatsRoundToNearestEven(DataType type, double value, Double stored) {
        assertThat(Elements.toDouble(type, Elements.fromDouble(type, value))).isEqualTo(stored);
    }

    @Test
    void eachInvalidCapabilityHasItsOwnError() {
        Capabilities bad = new Capabilities("", "", 0, false, true, true, false, false, 48, 0, false, false);
        assertThat(bad.errors())
                .hasSize(6)
                .anyMatch(e -> e.startsWith("driver"))
                .anyMatch(e -> e.startsWith("version"))
                .anyMatch(e -> e.startsWith("maxDepth=0"))
                .anyMatch(e -> e.startsWith("joinedLaunch"))
                .anyMatch(e -> e.startsWith("alignment=48"))
                .anyMatch(e -> e.startsWith("memoryBytes=0"));
        assertThat(profile(true, true, true)).isEqualTo(Profile.JOINED);
        assertThat(profile(true, false, true)).isEqualTo(Profile.PREPARE_ONLY);
        assertThat(profile(true, true, false)).isEqualTo(Profile.NO_BUILD);
        assertThat(profile(false, false, true)).isEqualTo(Profile.SERIAL);
    }

    private static Profile profile(boolean concurrent, boolean joined, boolean build) {
        Capabilities c = new Capabilities("d", "1", 2, concurrent, joined, build, false, false, 64, 1, false, true);
        assertThat(c.errors()).isEmpty();
        return c.profile();
    }

    @Test
    void hostMemoryLiesOffTheHeapAndStaysInItsBounds() {
        HostMemory m = HostMemory.allocate(16);
        m.put(4, HostBytes.ofFloats(1, 2).view());
        HostMemory copy = HostMemory.allocate(8);
        HostMemory.copy(m, 4, copy, 0, 8);
        assertThat(copy.single().getFloat(4)).isEqualTo(2f);
        assertThat(copy.single().isDirect()).isTrue();
        assertThatThrownBy(() -> HostMemory.copy(m, 12, copy, 0, 8)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> HostMemory.copy(m, Long.MAX_VALUE, copy, 0, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> HostMemory.of(ByteBuffer.allocate(4))).hasMessageContaining("heap");
    }
}
