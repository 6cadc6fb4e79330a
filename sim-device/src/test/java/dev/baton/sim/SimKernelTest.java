package dev.baton.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.DataType;
import dev.baton.protocol.Elements;
import dev.baton.protocol.Role;
import dev.baton.protocol.Scalar;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.Finalization;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.PlannedArgument;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.Progress;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimKernelTest {
    private final StepRuntime time = new StepRuntime();
    private final Rig r = new Rig(SimSettings.defaults(), time);

    private void run(String kernel, PlannedArgument... arguments) throws DriverException {
        PreparedRun run = r.launched("A", kernel, arguments);
        assertThat(run.await(0)).isEqualTo(Progress.RUNNING);
        time.rest();
        assertThat(run.await(0)).isEqualTo(Progress.ENDED);
        assertThat(run.finalizeRun()).isEqualTo(Finalization.COMPLETED);
    }

    private static PlannedArgument typed(Role role, DataType type, long address, long count) {
        return new PlannedArgument.OnDevice(
                role, type, address, List.of(count), List.of(), address, count * type.bytes());
    }

    @ParameterizedTest
    @EnumSource(DataType.class)
    void kernelsWorkOnEveryType(DataType type) throws Exception {
        HostMemory values = HostMemory.allocate(3L * type.bytes());
        for (int i = 0; i < 3; i++) {
            Elements.putBits(values.single(), i * type.bytes(), type, Elements.fromDouble(type, i + 1));
        }
        long x = r.device.allocate("x", values.size());
        r.device.write("x", x, values, 0, values.size());
        long y = r.device.allocate("y", values.size());
        run("add_const", typed(Role.IN, type, x, 3), typed(Role.OUT, type, y, 3), Rig.value(2));
        run("accumulate", typed(Role.IN, type, x, 3), typed(Role.INOUT, type, y, 3));
        run("scale", typed(Role.IN, type, y, 3), typed(Role.OUT, type, x, 3), new PlannedArgument.Value(Scalar.i64(3)));
        r.device.read("x", x, values, 0, values.size());
        double[] got = new double[3];
        for (int i = 0; i < 3; i++) {
            got[i] = Elements.toDouble(type, Elements.bitsAt(values.single(), i * type.bytes(), type));
        }
        assertThat(got).containsExactly(12, 18, 24);
        assertThat(r.control.violations()).isEmpty();
    }

    @Test
    void typesMayDifferAndWideIntegersAreCopiedExactly() throws Exception {
        HostMemory big = HostMemory.allocate(8);
        big.single().putLong(0, (1L << 60) + 1);
        long x = r.device.allocate("x", 8);
        long y = r.device.allocate("y", 8);
        r.device.write("x", x, big, 0, 8);
        run("copy", typed(Role.IN, DataType.I64, x, 1), typed(Role.OUT, DataType.I64, y, 1));
        HostMemory got = HostMemory.allocate(8);
        r.device.read("y", y, got, 0, 8);
        assertThat(got.single().getLong(0)).isEqualTo((1L << 60) + 1);
        run("copy", typed(Role.IN, DataType.I64, x, 1), typed(Role.OUT, DataType.F32, y, 1));
        assertThat(r.read(y, 1)).containsExactly(0x1p60f);
    }

    @Test
    void viewsOfOneBufferNeedNoAlignment() throws Exception {
        HostMemory bytes = HostMemory.allocate(11);
        for (int i = 0; i < 11; i++) {
            bytes.single().put(i, (byte) i);
        }
        long x = r.device.allocate("x", 11);
        r.device.write("x", x, bytes, 0, 11);
        run("copy", typed(Role.IN, DataType.U8, x + 1, 5), typed(Role.OUT, DataType.U8, x + 6, 5));
        run("fill", typed(Role.OUT, DataType.F32, x + 3, 1), Rig.value(1));
        r.device.read("x", x, bytes, 0, 11);
        byte[] got = new byte[11];
        bytes.single().get(0, got);
        assertThat(got).containsExactly(0, 1, 2, 0, 0, -128, 63, 2, 3, 4, 5);
    }

    @Test
    void emptyTensorsTouchNothing() throws Exception {
        run("copy", Rig.on(Role.IN, 0x99990, 0), Rig.on(Role.OUT, 0x99990, 0));
        run("fill", Rig.staged(Role.OUT, HostMemory.allocate(0)), Rig.value(1));
        assertThat(r.control.violations()).isEmpty();
    }

    @Test
    void randomStridedViewsAgreeWithAModel() throws Exception {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            float[] model = new float[64];
            for (int i = 0; i < model.length; i++) {
                model[i] = random.nextInt(100);
            }
            long x = r.floats("x", model);
            int rows = 1 + random.nextInt(3);
            int columns = 1 + random.nextInt(3);
            int[] in = view(random, rows, columns);
            int[] out = view(random, rows, columns);
            run("accumulate", argument(Role.IN, x, in, rows, columns), argument(Role.INOUT, x, out, rows, columns));
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < columns; j++) {
                    model[out[0] + i * out[1] + j * out[2]] += model[in[0] + i * in[1] + j * in[2]];
                }
            }
            assertThat(r.read(x, 64))
                    .as("seed %d in %s out %s", seed, Arrays.toString(in), Arrays.toString(out))
                    .containsExactly(model);
            r.device.free("x", x);
        }
    }

    /** First element and the two strides of a view that stays inside 64 elements; row-major ones now and then. */
    private static int[] view(Random random, int rows, int columns) {
        if (random.nextBoolean()) {
            return new int[] {random.nextInt(64 - rows * columns), columns, 1};
        }
        int[] strides = {random.nextInt(17) - 8, random.nextInt(17) - 8};
        return new int[] {20 + random.nextInt(12), strides[0] / 2, strides[1] / 2};
    }

    private static PlannedArgument argument(Role role, long x, int[] view, int rows, int columns) {
        return new PlannedArgument.OnDevice(
                role,
                DataType.F32,
                x + 4L * view[0],
                List.of((long) rows, (long) columns),
                List.of((long) view[1], (long) view[2]),
                x,
                256);
    }

    @Test
    void tensorsOfMoreThanOneSegmentWork() throws Exception {
        Rig big = new Rig(SimSettings.defaults().memory(2L << 30), time);
        long edge = HostMemory.SEGMENT_BYTES;
        long x = big.device.allocate("x", edge + 64);
        PreparedRun run = big.launched("A", "fill", Rig.on(Role.OUT, x + edge - 8, 4), Rig.value(3));
        PreparedRun odd = big.launched("B", "inc", Rig.on(Role.INOUT, x + edge - 2, 1), Rig.value(3));
        time.rest();
        assertThat(run.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        assertThat(odd.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        assertThat(big.read(x + edge - 8, 1)).containsExactly(3);
        assertThat(big.read(x + edge + 4, 1)).containsExactly(3);
        assertThat(big.device.view(x + edge - 8, 16)).isNull();
    }
}
