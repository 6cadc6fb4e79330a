package dev.baton.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** B1: host data is captured when it is made; what it was made from may be reused at once. */
class HostDataTest {
    @Test
    void arraysMayBeReused() {
        float[] f = {1, 2};
        double[] d = {1, 2};
        int[] i = {1, -2};
        long[] l = {1, Long.MIN_VALUE};
        HostTensor tf = HostTensor.ofFloats(f);
        HostTensor td = HostTensor.ofDoubles(d);
        HostTensor ti = HostTensor.ofInts(i);
        HostTensor tl = HostTensor.ofLongs(l);
        f[0] = 9;
        d[0] = 9;
        i[0] = 9;
        l[0] = 9;
        assertThat(tf.bytes().view().getFloat(0)).isEqualTo(1);
        assertThat(td.bytes().view().getDouble(0)).isEqualTo(1);
        assertThat(ti.bytes().view().getInt(0)).isEqualTo(1);
        assertThat(ti.bytes().view().getInt(4)).isEqualTo(-2);
        assertThat(tl.bytes().view().getLong(0)).isEqualTo(1);
        assertThat(tl.bytes().view().getLong(8)).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void buffersMayBeReused() {
        ByteBuffer source = ByteBuffer.allocateDirect(HostBytes.OFF_HEAP_FROM);
        source.put(8, (byte) 5).position(8);
        HostTensor t = HostTensor.copyOf(DataType.U8, List.of((long) HostBytes.OFF_HEAP_FROM - 8), source);
        source.put(8, (byte) 9);
        assertThat(source.position()).isEqualTo(8);
        assertThat(t.bytes().view().get(0)).isEqualTo((byte) 5);
    }

    @Test
    void filesMayChange(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("values");
        byte[] values = new byte[HostBytes.OFF_HEAP_FROM + 16];
        values[4] = 1;
        Files.write(file, values);
        HostTensor t = HostTensor.ofFile(DataType.I32, List.of(3L), file, 4);
        HostBytes all = HostBytes.ofFile(file, 0, values.length);
        Files.write(file, new byte[0]);
        assertThat(t.bytes().view().getInt(0)).isEqualTo(1);
        assertThat(all.toArray()).isEqualTo(values);
        assertThatThrownBy(() -> HostTensor.ofFile(DataType.I32, List.of(3L), file, 4))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("12 bytes from 4 on were asked for, it has 0");
        assertThatThrownBy(() -> HostBytes.ofFile(file, -1, 4)).isInstanceOf(IllegalArgumentException.class);
    }
}
