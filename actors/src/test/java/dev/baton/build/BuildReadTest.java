package dev.baton.build;

import static dev.baton.build.Bench.ALLOCATION;
import static dev.baton.build.Bench.declared;
import static dev.baton.build.Bench.run;
import static dev.baton.build.Bench.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.build.BuildLatch.Cause;
import dev.baton.protocol.DataType;
import dev.baton.protocol.Role;
import dev.baton.protocol.build.Access;
import dev.baton.protocol.build.BuildSignal;
import dev.baton.protocol.driver.DriverException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** B3 to B5, B8: element reads. */
class BuildReadTest {
    private final Outcome a = new Outcome();

    @Test
    void everyTypeInBothStyles() {
        Bench b = new Bench(64);
        b.device
                .memory
                .single()
                .putShort(0, (short) 0x3E00)
                .putShort(2, (short) 0x3FC0)
                .putFloat(4, 1.5f);
        b.device
                .memory
                .single()
                .putDouble(8, 1.5)
                .put(16, (byte) -3)
                .putShort(18, (short) -3)
                .putInt(20, -3);
        b.device.memory.single().putLong(24, -3).put(32, (byte) -3);
        long[] at = {0, 2, 4, 8, 16, 18, 20, 24, 32};
        for (DataType t : DataType.values()) {
            long first = at[b.arguments.size()];
            b.on(Role.IN, t, first, List.of(), List.of(), first, t.bytes());
        }
        BuildSession s = b.session();
        for (int i = 0; i < 4; i++) {
            assertThat(s.get(i, 0)).isEqualTo(1.5);
            assertThat(s.getLong(i, 0)).isEqualTo(1);
        }
        for (int i = 4; i < 8; i++) {
            assertThat(s.get(i, 0)).isEqualTo(-3);
            assertThat(s.getLong(i, 0)).isEqualTo(-3);
            assertThat(s.read(i, 0)).isEqualTo(new Access.Value(-3));
        }
        assertThat(s.getLong(8, 0)).isEqualTo(253);
        assertThat(s.read(2, 0)).isEqualTo(value(1.5f));
        assertThat(s.read(0, 0)).isEqualTo(new Access.Value(0x3E00));
        assertThat(s.cause()).isNull();
    }

    @Test
    void stridesAreRespected() {
        Bench b = new Bench(64).floats(0, 0, 1, 2, 3, 4, 5);
        b.on(Role.IN, DataType.F32, 0, List.of(3L, 2L), List.of(1L, 3L), 0, 24);
        b.on(Role.IN, DataType.F32, 20, List.of(3L), List.of(-2L), 4, 20);
        BuildSession s = b.session();
        assertThat(s.getAll(0, 0, 6)).containsExactly(0, 3, 1, 4, 2, 5);
        assertThat(s.getAll(1, 0, 3)).containsExactly(5, 3, 1);
        assertThat(s.getAll(1, 1, 1)).containsExactly(3);
        assertThat(s.getAll(1, 3, 0)).isEmpty();
    }

    @Test
    void stagedTensorsAreReadFromTheStaging() {
        Bench b = new Bench(8).staged(Role.IN, -1, 0, Bench.memory(1, 2, 3));
        b.arguments.add(
                new BuildArgument.Staged(Role.IN, DataType.F32, List.of(2L), List.of(5L), 9, 8, Bench.memory(7, 8)));
        BuildSession s = b.session();
        assertThat(s.getAll(0, 0, 3)).containsExactly(1, 2, 3);
        assertThat(s.getAll(1, 0, 2)).containsExactly(7, 8);
    }

    @Test
    void aHostBufferIsFencedWhereItsElementsLie() {
        Bench b = new Bench(8);
        b.arguments.add(
                new BuildArgument.Staged(Role.INOUT, DataType.F32, List.of(2L), List.of(5L), 9, 8, Bench.memory(7, 8)));
        b.fence(Fence.builder().entry(run("A"), 1, 9, 28, 32, true, true, a));
        BuildSession s = b.session();
        assertThat(s.get(0, 0)).isEqualTo(7);
        assertThat(s.read(0, 1)).isEqualTo(new Access.NotProducedYet(run("A")));
    }

    @Test
    void aValueThatIsNotProducedYetMakesTheRunWait() {
        Bench b = new Bench(64).f32(Role.IN, 0, 4).fence(declared("A", 1, 0, 16, a));
        BuildSession s = b.build(c -> assertThat(c.read(0, 0)).isEqualTo(new Access.NotProducedYet(run("A"))));
        assertThat(s.cause()).isEqualTo(new Cause.NotProduced(run("A")));
    }

    @Test
    void bytesBesideTheProducersAreReadAtOnce() {
        Bench b = new Bench(64).floats(0, 1, 2, 3, 4).f32(Role.IN, 0, 4).fence(declared("A", 1, 8, 12, a));
        BuildSession s = b.session();
        assertThat(s.get(0, 0)).isEqualTo(1);
        assertThat(s.get(0, 3)).isEqualTo(4);
        assertThat(s.cause()).isNull();
        assertThatThrownBy(() -> s.get(0, 2)).isInstanceOf(BuildSignal.class);
    }

    @Test
    void aProducerThatRetiresDuringTheBuildNoLongerRefuses() {
        Bench b = new Bench(64)
                .floats(0, 1, 2)
                .f32(Role.IN, 0, 2)
                .f32(Role.IN, 0, 1)
                .fence(declared("A", 1, 0, 4, a));
        BuildSession s = b.session();
        assertThat(s.get(0, 1)).isEqualTo(2);
        a.produced();
        assertThat(s.get(0, 0)).isEqualTo(1);
        assertThat(s.get(1, 0)).isEqualTo(1);
        assertThat(s.cause()).isNull();
    }

    @Test
    void aReadThatNeedsManyValuesIsLatchedOnce() {
        Outcome c = new Outcome();
        Bench b = new Bench(64)
                .f32(Role.IN, 0, 8)
                .fence(declared("A", 1, 0, 16, a).entry(run("C"), 2, ALLOCATION, 16, 32, true, true, c));
        BuildSession s = b.build(ctx -> {
            assertThat(ctx.read(0, 7)).isEqualTo(new Access.NotProducedYet(run("C")));
            assertThat(ctx.read(0, 0)).isEqualTo(Access.Ended.INSTANCE);
        });
        assertThat(s.cause()).isEqualTo(new Cause.NotProduced(run("C")));
    }

    @Test
    void voidBytesFailTheRunByItsPredecessor() {
        Bench b = new Bench(64).f32(Role.IN, 0, 4).fence(declared("A", 1, 0, 16, a));
        a.failed(run("A"), "boom");
        BuildSession s = b.build(c -> assertThat(c.read(0, 0)).isEqualTo(new Access.Failed(run("A"), "boom")));
        assertThat(s.cause()).isEqualTo(new Cause.Predecessor(run("A"), "boom"));
    }

    @Test
    void unreadableBytesFailTheRun() {
        Bench b =
                new Bench(64).f32(Role.IN, 0, 4).fence(Fence.builder().unreadable(ALLOCATION, 4, 8, run("A"), "lost"));
        BuildSession s = b.build(c -> {
            c.get(0, 0);
            assertThat(c.read(0, 1)).isEqualTo(new Access.Unproven(run("A"), "lost"));
        });
        assertThat(s.cause()).isEqualTo(new Cause.Unproven(run("A"), "lost"));
    }

    @Test
    void memoryFromElsewhereHasNoFence() {
        Bench b = new Bench(64)
                .floats(2, 5)
                .foreign(Role.IN, 8, 1)
                .fence(declared("A", 1, 0, 64, a).entry(run("A"), 1, -1, 0, 1 << 20, true, true, a));
        assertThat(b.session().get(0, 0)).isEqualTo(5);
    }

    @Test
    void whatIsNoneOfTheRunsIsNotCovered() {
        Bench b = new Bench(64).f32(Role.IN, 0, 4).scalar(1);
        for (Access answer : List.of(
                b.session().read(2, 0),
                b.session().read(-1, 0),
                b.session().read(1, 0),
                b.session().read(0, 4),
                b.session().read(0, -1))) {
            assertThat(answer).isInstanceOf(Access.NotCovered.class);
        }
        BuildSession s = b.session();
        assertThatThrownBy(() -> s.getAll(0, 2, 3)).isInstanceOf(BuildSignal.class);
        assertThat(s.cause()).isInstanceOf(Cause.NotCovered.class).asString().contains("3 elements from 2 on");
        BuildSession t = b.session();
        assertThatThrownBy(() -> t.getAll(0, 2, -1)).isInstanceOf(BuildSignal.class);
        assertThatThrownBy(() -> b.session().getAll(0, Long.MAX_VALUE, 1)).isInstanceOf(BuildSignal.class);
        assertThatThrownBy(() -> b.session().getAll(1, 0, 1)).isInstanceOf(BuildSignal.class);
    }

    @Test
    void factsAboutArguments() {
        Bench b = new Bench(64).f32(Role.IN, 0, 4).scalar(2.5f);
        BuildSession s = b.session();
        assertThat(s.arguments()).isEqualTo(2);
        assertThat(s.type(0)).isEqualTo(DataType.F32);
        assertThat(s.elements(0)).isEqualTo(4);
        assertThat(s.elements(1)).isZero();
        assertThat(s.type(1)).isEqualTo(DataType.F32);
        assertThat(s.scalar(1).asDouble()).isEqualTo(2.5);
        assertThat(s.attempt()).isEqualTo(2);
        assertThat(s.runName()).isEqualTo("B");
        assertThat(s.runtime()).isSameAs(b.runtime);
        assertThat(s.<Integer>scope("part", c -> c.arguments())).isEqualTo(2);
        assertThat(s.cause()).isNull();
        assertThatThrownBy(() -> s.scalar(0)).isInstanceOf(BuildSignal.class);
        assertThat(s.cause()).isInstanceOf(Cause.NotCovered.class).asString().contains("argument 0 is no scalar");
        BuildSession t = b.session();
        assertThatThrownBy(() -> t.type(2)).isInstanceOf(BuildSignal.class);
        assertThatThrownBy(() -> t.elements(-1)).isInstanceOf(BuildSignal.class);
        assertThat(t.cause()).asString().contains("has no argument 2");
    }

    @Test
    void withoutAViewPiecesAreCopiedOnceEach() {
        int piece = CopiedSource.PIECE_BYTES;
        Bench b = new Bench(2 * piece + 8).floats(0, 1, 2).f32(Role.IN, 0, piece / 2 + 2);
        b.device.hostView = false;
        b.device.memory.single().putFloat(2 * piece + 4, 9);
        BuildSession s = b.session();
        assertThat(s.get(0, 0)).isEqualTo(1);
        b.device.memory.single().putFloat(4, 99);
        assertThat(s.get(0, 1)).isEqualTo(2);
        assertThat(s.get(0, piece / 2 + 1)).isEqualTo(9);
        assertThat(b.device.calls).containsExactly("view", "read 0+" + piece, "read " + 2 * piece + "+8");
    }

    @Test
    void aRefusedByteIsNeverCopied() {
        Bench b = new Bench(64).floats(0, 1, 2, 3, 4).f32(Role.IN, 0, 4).fence(declared("A", 1, 8, 12, a));
        b.device.hostView = false;
        BuildSession s = b.session();
        assertThat(s.get(0, 0)).isEqualTo(1);
        assertThat(s.get(0, 1)).isEqualTo(2);
        assertThat(b.device.calls).containsExactly("view", "read 0+4", "read 4+4");
        b.floats(0, 10, 20, 30, 40);
        a.produced();
        assertThat(s.getAll(0, 0, 4)).containsExactly(10, 20, 30, 40);
        assertThat(b.device.calls).hasSize(4).endsWith("read 0+16");
    }

    @Test
    void aRefusedReadTouchesNoDevice() {
        Bench b = new Bench(64).f32(Role.IN, 0, 4).fence(declared("A", 1, 0, 16, a));
        b.device.hostView = false;
        b.build(c -> c.read(0, 0));
        assertThat(b.device.calls).isEmpty();
    }

    @Test
    void elementsAcrossPiecesAreReadByThemselves() {
        int piece = CopiedSource.PIECE_BYTES;
        Bench b = new Bench(piece + 8);
        b.on(Role.IN, DataType.I32, piece - 2, List.of(), List.of(), 0, piece + 2);
        b.device.memory.single().putInt(piece - 2, 0x12345678);
        b.device.hostView = false;
        assertThat(b.session().getLong(0, 0)).isEqualTo(0x12345678);
    }

    @Test
    void aDriverThatCantReadFailsTheBuildEvenIfThatIsSwallowed() {
        for (Throwable thrown :
                List.of(new DriverException("bus"), new IllegalStateException("bus"), new LinkageError("bus"))) {
            Bench b = new Bench(64).f32(Role.IN, 0, 4);
            b.device.hostView = false;
            b.device.failure = thrown;
            BuildSession s = b.build(c -> {
                assertThat(c.read(0, 0)).isEqualTo(Access.Ended.INSTANCE);
                assertThatThrownBy(() -> c.get(0, 0)).isInstanceOf(BuildSignal.class);
            });
            assertThat(s.cause()).isEqualTo(new Cause.Own(thrown.getClass().getSimpleName() + ": bus", thrown));
            assertThat(b.device.calls).containsExactly("view", "read 0+16");
        }
        Bench b = new Bench(64).f32(Role.IN, 0, 4);
        b.device.viewShortBy = 4;
        assertThat(b.build(c -> c.read(0, 0)).cause()).asString().contains("has only 12");
    }
}
