package dev.baton.build;

import static dev.baton.build.Bench.ALLOCATION;
import static dev.baton.build.Bench.bits;
import static dev.baton.build.Bench.declared;
import static dev.baton.build.Bench.floats;
import static dev.baton.build.Bench.run;
import static dev.baton.build.Bench.value;
import static dev.baton.build.FakeDevice.BASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.build.BuildLatch.Cause;
import dev.baton.protocol.DataType;
import dev.baton.protocol.Role;
import dev.baton.protocol.build.Access;
import dev.baton.protocol.build.BuildSignal;
import dev.baton.protocol.driver.HostMemory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** B3, B10: element writes and what becomes of them. */
class BuildWriteTest {
    private final Outcome a = new Outcome();

    private static List<String> writes(BuildSession s) {
        List<String> list = new ArrayList<>();
        for (DeviceWrite w : s.deviceWrites()) {
            StringBuilder line = new StringBuilder(w.address() - BASE + ":");
            for (int i = 0; i < w.bytes().size(); i++) {
                line.append(' ').append(w.bytes().single().get(i));
            }
            list.add(line.toString());
        }
        return list;
    }

    @Test
    void anAttemptReadsItsOwnWritesAndLeavesNoTrace() {
        Bench b = new Bench(64).floats(0, 1, 2).f32(Role.INOUT, 0, 2);
        BuildSession s = b.session();
        assertThat(s.write(0, 1, bits(7))).isEqualTo(Access.Done.INSTANCE);
        assertThat(s.read(0, 1)).isEqualTo(value(7));
        assertThat(s.read(0, 0)).isEqualTo(value(1));
        s.set(0, 0, 2.5);
        assertThat(s.get(0, 0)).isEqualTo(2.5);
        assertThat(b.device.memory.single().getFloat(0)).isEqualTo(1);
        assertThat(b.device.calls).containsExactly("view");
    }

    @Test
    void everyTypeIsWrittenAndReadBack() {
        for (DataType t : DataType.values()) {
            Bench b = new Bench(64).on(Role.OUT, t, 0, List.of(3L), List.of(), 0, 3L * t.bytes());
            BuildSession s = b.session();
            s.set(0, 1, 96);
            assertThat(s.get(0, 1)).as("%s", t).isEqualTo(96);
            assertThat(s.get(0, 0)).isZero();
            assertThat(s.get(0, 2)).isZero();
            if (t.name().startsWith("I")) {
                s.write(0, 2, -5);
                assertThat(s.read(0, 2)).as("%s", t).isEqualTo(new Access.Value(-5));
            }
            assertThat(s.deviceWrites().get(0).address()).isEqualTo(BASE + t.bytes());
        }
    }

    @Test
    void integersBeyondWhatADoubleHoldsGoInAndOutWhole() {
        long big = (1L << 62) + 1;
        Bench b = new Bench(64).on(Role.INOUT, DataType.I64, 0, List.of(4L), List.of(), 0, 32);
        b.on(Role.INOUT, DataType.U8, 40, List.of(2L), List.of(), 40, 2);
        b.on(Role.INOUT, DataType.F32, 48, List.of(1L), List.of(), 48, 4);
        BuildSession s = b.session();
        s.setLong(0, 1, big);
        s.setLong(0, 2, -big);
        s.setLong(1, 0, 511);
        s.setLong(2, 0, 3);
        assertThat(s.getAllLong(0, 0, 4)).containsExactly(0, big, -big, 0);
        assertThat(s.getAllLong(1, 0, 2)).containsExactly(255, 0);
        assertThat(s.get(2, 0)).isEqualTo(3);
        assertThatThrownBy(() -> s.getAllLong(0, 1, 4)).isInstanceOf(BuildSignal.class);
    }

    @Test
    void stridedWritesOfEveryTypeTouchTheirElementsOnly() {
        for (DataType t : DataType.values()) {
            int size = t.bytes();
            Bench b = new Bench(128).on(Role.INOUT, t, 0, List.of(2L, 3L), List.of(1L, 4L), 0, 10L * size);
            for (int i = 0; i < 10 * size; i++) {
                b.device.memory.single().put(i, (byte) 0x11);
            }
            BuildSession s = b.session();
            double before = s.get(0, 0);
            s.set(0, 5, 7);
            assertThat(s.get(0, 5)).as("%s", t).isEqualTo(7);
            assertThat(s.get(0, 4)).as("%s", t).isEqualTo(before);
            assertThat(s.deviceWrites()).singleElement().satisfies(w -> {
                assertThat(w.address()).isEqualTo(BASE + 9L * size);
                assertThat(w.bytes().size()).isEqualTo(size);
            });
        }
    }

    @Test
    void neighbouringWritesGoToTheDeviceTogether() {
        Bench b = new Bench(64).on(Role.OUT, DataType.I8, 8, List.of(16L), List.of(), 8, 16);
        BuildSession s = b.session();
        s.set(0, 4, 4);
        s.set(0, 2, 2);
        s.set(0, 3, 3);
        s.set(0, 9, 9);
        assertThat(writes(s)).containsExactly("10: 2 3 4", "17: 9");
        assertThat(b.session().deviceWrites()).isEmpty();
    }

    @Test
    void stridedWritesGoWhereTheElementsLie() {
        Bench b = new Bench(64).on(Role.OUT, DataType.I8, 10, List.of(2L, 2L), List.of(-4L, 1L), 6, 6);
        BuildSession s = b.session();
        for (int e = 0; e < 4; e++) {
            s.set(0, e, e);
        }
        assertThat(writes(s)).containsExactly("6: 2 3", "10: 0 1");
    }

    @Test
    void argumentsThatAliasSeeEachOthersWrites() {
        Bench b = new Bench(64).floats(0, 1, 2, 3, 4).f32(Role.INOUT, 0, 4).f32(Role.IN, 4, 3);
        b.on(Role.IN, DataType.I8, 5, List.of(1L), List.of(), 5, 1);
        BuildSession s = b.session();
        s.write(0, 1, 0x0A0B0C0D);
        assertThat(s.read(1, 0)).isEqualTo(new Access.Value(0x0A0B0C0D));
        assertThat(s.getLong(2, 0)).isEqualTo(0x0C);
        assertThat(s.get(1, 1)).isEqualTo(3);
        assertThat(writes(s)).containsExactly("4: 13 12 11 10");
    }

    @Test
    void memoryFromElsewhereAliasesByAddress() {
        Bench b = new Bench(64).foreign(Role.OUT, 16, 2).foreign(Role.IN, 20, 1);
        BuildSession s = b.session();
        s.set(0, 1, 3);
        assertThat(s.get(1, 0)).isEqualTo(3);
        assertThat(s.deviceWrites())
                .singleElement()
                .extracting(DeviceWrite::address)
                .isEqualTo(BASE + 20);
    }

    @Test
    void hostTensorsNeverAlias() {
        HostMemory one = Bench.memory(1, 2);
        HostMemory two = Bench.memory(3, 4);
        Bench b = new Bench(8).staged(Role.INOUT, -1, 0, one).staged(Role.IN, -1, 0, two);
        BuildSession s = b.session();
        s.set(0, 1, 9);
        assertThat(s.get(0, 1)).isEqualTo(9);
        assertThat(s.get(1, 1)).isEqualTo(4);
        assertThat(floats(one)).containsExactly(1, 2);
        s.applyToStaging();
        assertThat(floats(one)).containsExactly(1, 9);
        assertThat(floats(two)).containsExactly(3, 4);
        assertThat(s.deviceWrites()).isEmpty();
    }

    @Test
    void hostBuffersAliasByTheirBytes() {
        HostMemory in = Bench.memory(1, 2, 3);
        HostMemory out = Bench.memory(0, 0);
        HostMemory strided = Bench.memory(1, 3);
        Bench b = new Bench(8).staged(Role.IN, 9, 0, in).staged(Role.OUT, 9, 4, out);
        b.arguments.add(new BuildArgument.Staged(Role.IN, DataType.F32, List.of(2L), List.of(2L), 9, 0, strided));
        BuildSession s = b.session();
        s.set(1, 1, 9);
        assertThat(s.get(0, 2)).isEqualTo(9);
        assertThat(s.get(2, 1)).isEqualTo(9);
        s.applyToStaging();
        assertThat(floats(in)).containsExactly(1, 2, 9);
        assertThat(floats(out)).containsExactly(0, 9);
        assertThat(floats(strided)).containsExactly(1, 9);
    }

    @Test
    void manyWritesAreAppliedWhole() {
        int n = 600_000;
        Bench b = new Bench(4L * n + 64).f32(Role.OUT, 0, n).f32(Role.OUT, 4L * n + 32, 1);
        BuildSession s = b.session();
        for (int i = 0; i < n; i++) {
            s.set(0, i, i);
        }
        s.set(1, 0, 5);
        List<DeviceWrite> writes = s.deviceWrites();
        assertThat(writes).hasSize(2);
        assertThat(writes.get(0).bytes().size()).isEqualTo(4L * n);
        assertThat(writes.get(0).bytes().single().getFloat(4 * (n - 1))).isEqualTo(n - 1);
        assertThat(writes.get(1).address()).isEqualTo(BASE + 4L * n + 32);
    }

    @Test
    void anInArgumentCantBeWritten() {
        BuildSession s = new Bench(64).f32(Role.IN, 0, 4).session();
        assertThat(s.write(0, 0, 1)).isInstanceOf(Access.NotCovered.class);
        assertThat(s.cause()).asString().contains("argument 0 is IN");
        Bench b = new Bench(64).f32(Role.OUT, 0, 4).scalar(1);
        for (Access answer : List.of(
                b.session().write(0, 4, 1),
                b.session().write(1, 0, 1),
                b.session().write(7, 0, 1))) {
            assertThat(answer).isInstanceOf(Access.NotCovered.class);
        }
        for (int argument : new int[] {1, 7}) {
            BuildSession t = b.session();
            assertThatThrownBy(() -> t.set(argument, 0, 1)).isInstanceOf(BuildSignal.class);
            assertThat(t.cause()).isInstanceOf(Cause.NotCovered.class);
            assertThat(t.deviceWrites()).isEmpty();
        }
    }

    @Test
    void bytesThatAnEarlierRunNamesAreNotWrittenYet() {
        Bench b = new Bench(64)
                .f32(Role.OUT, 0, 4)
                .fence(Fence.builder().entry(run("A"), 1, ALLOCATION, 8, 12, false, false, a));
        BuildSession s = b.session();
        assertThat(s.write(0, 0, 1)).isEqualTo(Access.Done.INSTANCE);
        assertThat(s.write(0, 2, 1)).isEqualTo(new Access.NotProducedYet(run("A")));
        assertThat(s.cause()).isEqualTo(new Cause.NotProduced(run("A")));
        BuildSession later = b.session();
        a.produced();
        assertThat(later.write(0, 2, 1)).isEqualTo(Access.Done.INSTANCE);
    }

    @Test
    void voidBytesMayBeWrittenAndThenReadBack() {
        Bench b = new Bench(64).f32(Role.OUT, 0, 4).fence(declared("A", 1, 0, 16, a));
        b.device.hostView = false;
        a.failed(run("A"), "boom");
        BuildSession s = b.session();
        s.set(0, 0, 5);
        assertThat(s.get(0, 0)).isEqualTo(5);
        assertThat(b.device.calls).as("void bytes are not looked at").doesNotContain("read 0+4");
        assertThat(s.read(0, 1)).isEqualTo(new Access.Failed(run("A"), "boom"));
    }

    @Test
    void noElementsNoTrouble() {
        Bench b = new Bench(64).on(Role.OUT, DataType.F32, 0, List.of(0L), List.of(), 0, 0);
        b.staged(Role.OUT, -1, 0, HostMemory.allocate(0));
        BuildSession s = b.session();
        assertThat(s.elements(0)).isZero();
        s.applyToStaging();
        assertThat(s.deviceWrites()).isEmpty();
        assertThat(s.write(0, 0, 1)).isInstanceOf(Access.NotCovered.class);
    }
}
