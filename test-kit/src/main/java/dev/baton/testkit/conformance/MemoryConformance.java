package dev.baton.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.OutOfDeviceMemoryException;
import dev.baton.testkit.conformance.DriverFaults.MemoryCall;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of memory calls. */
public abstract class MemoryConformance extends ConformanceBase {
    private static final int ROUNDS = 6;

    /** A range that was allocated. */
    private record Piece(long address, long bytes) {}

    @Test
    void allocationsAreAlignedAndDisjoint() throws DriverException {
        List<Piece> pieces = new ArrayList<>();
        for (long bytes : new long[] {1, 3, 64, 100, 4096, 4097, 7}) {
            pieces.add(new Piece(device.allocate("a" + bytes, bytes), bytes));
        }
        for (Piece p : pieces) {
            assertThat(p.address() & (can().alignment() - 1))
                    .as("misalignment of " + p)
                    .isZero();
            for (Piece q : pieces) {
                assertThat(p != q && p.address() < q.address() + q.bytes() && q.address() < p.address() + p.bytes())
                        .as(p + " overlaps " + q)
                        .isFalse();
            }
        }
    }

    @Test
    void freedMemoryCanBeUsedAgain() throws DriverException {
        for (int i = 0; i < ROUNDS; i++) {
            device.free("again", device.allocate("again", roomBytes()));
        }
        List<Long> quarters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            quarters.add(device.allocate("quarter", roomBytes() / 4));
        }
        for (long at : quarters) {
            device.free("quarter", at);
        }
        device.allocate("joined again", roomBytes());
    }

    @Test
    void whatDoesNotFitIsOutOfMemoryAndChangesNothing() throws DriverException {
        long kept = floats("kept", 1, 2, 3);
        long room = device.allocate("room", roomBytes());
        for (long bytes : new long[] {roomBytes(), can().memoryBytes() + 1, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> device.allocate("too much", bytes))
                    .as(bytes + " bytes")
                    .isInstanceOf(OutOfDeviceMemoryException.class)
                    .message()
                    .isNotBlank();
        }
        assertThat(read(kept, 3)).containsExactly(1, 2, 3);
        device.free("room", room);
        device.free("room", device.allocate("room", roomBytes()));
        assertThat(read(kept, 3)).containsExactly(1, 2, 3);
    }

    @Test
    void writesAndReadsKeepToTheirBytes() throws DriverException {
        HostMemory all = pattern(64);
        long at = device.allocate("bytes", 64);
        device.write("all", at, all, 0, 64);
        device.write("part", at + 5, all, 32, 7);
        HostMemory to = HostMemory.allocate(80);
        device.read("part", at + 3, to, 9, 11);
        for (int i = 0; i < 80; i++) {
            int from = i - 9 + 3;
            int expected = i < 9 || i >= 20 ? 0 : from >= 5 && from < 12 ? byteAt(from - 5 + 32) : byteAt(from);
            assertThat(to.single().get(i)).as("byte " + i).isEqualTo((byte) expected);
        }
    }

    @Test
    void largeBytesGoThereAndBack() throws DriverException {
        long bytes = largeBytes();
        HostMemory from = pattern(bytes);
        long at = device.allocate("large", bytes);
        device.write("large", at, from, 0, bytes);
        HostMemory to = HostMemory.allocate(bytes);
        device.read("large", at, to, 0, bytes);
        assertThat(same(from, 0, to, 0, bytes)).isTrue();
        device.read("end", at + bytes - 5, to, 1, 5);
        assertThat(same(from, bytes - 5, to, 1, 5)).isTrue();
    }

    @Test
    void copiesKeepToTheirBytes() throws DriverException {
        HostMemory all = pattern(64);
        long a = device.allocate("a", 64);
        long b = device.allocate("b", 64);
        device.write("a", a, all, 0, 64);
        device.fill("b", b, 0, 1, 64);
        device.copy("between", a + 3, b + 10, 21);
        device.copy("within", a, a + 40, 24);
        HostMemory to = HostMemory.allocate(128);
        device.read("a", a, to, 0, 64);
        device.read("b", b, to, 64, 64);
        assertThat(same(all, 0, to, 0, 40)).isTrue();
        assertThat(same(all, 0, to, 40, 24)).isTrue();
        for (int i = 0; i < 64; i++) {
            int expected = i >= 10 && i < 31 ? byteAt(i - 10 + 3) : 0;
            assertThat(to.single().get(64 + i)).as("byte " + i + " of b").isEqualTo((byte) expected);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void fillsRepeatLittleEndianPatterns(int width) throws DriverException {
        long pattern = 0x8877665544332211L;
        long at = device.allocate("filled", 64);
        device.write("zeros", at, HostMemory.allocate(64), 0, 64);
        device.fill("pattern", at + 8, pattern, width, 3);
        HostMemory to = HostMemory.allocate(64);
        device.read("filled", at, to, 0, 64);
        for (int i = 0; i < 64; i++) {
            boolean inside = i >= 8 && i < 8 + 3 * width;
            byte expected = (byte) (inside ? pattern >>> (8 * ((i - 8) % width)) : 0);
            assertThat(to.single().get(i)).as("byte " + i).isEqualTo(expected);
        }
    }

    @Test
    void hostMemoryIsCopiedInTheSameOrder() throws DriverException {
        HostMemory from = pattern(40);
        HostMemory to = HostMemory.allocate(40);
        long at = device.allocate("a", 40);
        device.write("in", at, from, 0, 40);
        device.read("out", at, to, 0, 20);
        device.copyHost("host", to, 4, from, 30, 10);
        device.copyHost("host", from, 30, to, 25, 10);
        assertThat(same(pattern(40), 4, to, 25, 10)).isTrue();
        assertThat(to.single().get(35)).isZero();
    }

    @Test
    void aViewShowsTheDevicesBytes() throws DriverException {
        long at = floats("viewed", 1, 2, 3, 4);
        HostMemory view = device.view(at + 4, 8);
        if (view == null) {
            // the host can't see the device's memory: then the calls are all there is
            assertThat(read(at, 4)).containsExactly(1, 2, 3, 4);
            return;
        }
        assertThat(view.size()).isEqualTo(8);
        assertThat(values(view)).containsExactly(2, 3);
        device.write("through the call", at + 4, memory(7), 0, 4);
        assertThat(values(view)).containsExactly(7, 3);
        view.single().putFloat(4, 9);
        assertThat(read(at, 4)).containsExactly(1, 7, 9, 4);
    }

    @Test
    void failedMemoryCallsSayWhyAndChangeNothing() throws DriverException {
        long at = floats("kept", 1, 2);
        HostMemory to = HostMemory.allocate(8);
        failing(MemoryCall.ALLOCATE, () -> device.allocate("fails", roomBytes()));
        failing(MemoryCall.READ, () -> device.read("fails", at, to, 0, 8));
        failing(MemoryCall.WRITE, () -> device.write("fails", at, memory(1, 2), 0, 8));
        assertThat(values(to)).containsExactly(0, 0);
        device.allocate("room", roomBytes());
        assertThat(read(at, 2)).containsExactly(1, 2);
        failing(MemoryCall.FREE, () -> device.free("fails", at));
    }

    private void failing(MemoryCall call, Act act) {
        DriverFaults f = faults().orElse(null);
        if (f != null && f.supports(call)) {
            f.failNext(device, call);
            assertThatThrownBy(act::run)
                    .as(call.name())
                    .isInstanceOf(DriverException.class)
                    .message()
                    .isNotBlank();
        }
    }

    private static int byteAt(long i) {
        return (int) (i * 31 + (i >>> 8) + 1);
    }

    private static HostMemory pattern(long bytes) {
        HostMemory m = HostMemory.allocate(bytes);
        for (int i = 0; i < bytes; i++) {
            m.single().put(i, (byte) byteAt(i));
        }
        return m;
    }

    private static boolean same(HostMemory a, long aFrom, HostMemory b, long bFrom, long bytes) {
        return a.single().slice((int) aFrom, (int) bytes).equals(b.single().slice((int) bFrom, (int) bytes));
    }
}
