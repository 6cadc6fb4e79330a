package dev.baton.build;

import static dev.baton.build.Bench.bits;
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
import dev.baton.protocol.driver.HostMemory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** B1, B3: what a build reads of an argument that its run will write. */
class BuildOutTest {
    private static BuildArgument out(HostMemory buffer, List<Long> strides, long firstByte) {
        return new BuildArgument.Staged(
                Role.OUT, DataType.F32, List.of(2L), strides, 9, firstByte, Bench.memory(0, 0), buffer);
    }

    @Test
    void deviceMemoryHasItsOldContent() {
        assertThat(new Bench(64).floats(0, 1, 2).f32(Role.OUT, 0, 2).session().getAll(0, 0, 2))
                .containsExactly(1, 2);
    }

    @Test
    void aHostBufferHasItsOldContent() {
        Bench b = new Bench(8);
        HostMemory buffer = Bench.memory(1, 2, 3, 4, 5, 6);
        b.arguments.add(out(buffer, List.of(), 4));
        b.arguments.add(out(buffer, List.of(3L), 8));
        BuildSession s = b.session();
        assertThat(s.getAll(0, 0, 2)).containsExactly(2, 3);
        assertThat(s.getAll(1, 0, 2)).containsExactly(3, 6);
        s.set(0, 1, 9);
        assertThat(s.get(1, 0)).as("an alias sees the write").isEqualTo(9);
        assertThat(Bench.floats(buffer)).as("the buffer does not").containsExactly(1, 2, 3, 4, 5, 6);
    }

    @Test
    void aHostBufferIsFencedAsDeviceMemoryIs() {
        Outcome a = new Outcome();
        Bench b = new Bench(8);
        HostMemory buffer = Bench.memory(1, 2);
        b.arguments.add(out(buffer, List.of(), 0));
        b.fence(Fence.builder().entry(run("A"), 1, 9, 0, 4, true, true, a));
        assertThat(b.build(c -> c.read(0, 0)).cause()).isEqualTo(new Cause.NotProduced(run("A")));
        BuildSession s = b.session();
        assertThat(s.read(0, 1)).isEqualTo(value(2));
        buffer.single().putFloat(0, 7);
        a.produced();
        assertThat(s.read(0, 0)).as("what A left").isEqualTo(value(7));
    }

    @Test
    void anOutHostTensorHasNoBytesButTheBuildsOwn() {
        Bench b = new Bench(8).staged(Role.OUT, -1, 0, Bench.memory(0, 0));
        BuildSession s = b.session();
        assertThat(s.write(0, 1, bits(5))).isEqualTo(Access.Done.INSTANCE);
        assertThat(s.read(0, 1)).isEqualTo(value(5));
        assertThat(s.read(0, 0)).isInstanceOf(Access.NotCovered.class);
        assertThat(s.cause()).asString().contains("OUT host tensor", "no bytes yet");
        BuildSession t = b.session();
        assertThatThrownBy(() -> t.getAll(0, 0, 2)).isInstanceOf(BuildSignal.class);
        b.fence(declared("A", 1, 0, 8, new Outcome()));
        BuildSession u = b.session();
        u.set(0, 0, 3);
        u.applyToStaging();
        BuildArgument.Staged staged = (BuildArgument.Staged) b.arguments.get(0);
        assertThat(Bench.floats(staged.staging())).containsExactly(3, 0);
    }
}
