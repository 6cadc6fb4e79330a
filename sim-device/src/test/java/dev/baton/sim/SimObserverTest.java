package dev.baton.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.protocol.DataType;
import dev.baton.protocol.Role;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.Finalization;
import dev.baton.protocol.driver.PlannedArgument;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.RunPlan;
import dev.baton.protocol.driver.Task;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SimObserverTest {
    /** Writes down all that it hears, addresses relative to the lowest. */
    private static final class Recorder implements SimObserver {
        final List<String> heard = new ArrayList<>();

        private void hear(String what) {
            heard.add(what);
        }

        private static String range(long address, long bytes) {
            return "[" + (address - 0x10000) + "+" + bytes + "]";
        }

        @Override
        public void began(RunPlan plan) {
            hear("began " + plan.name());
        }

        @Override
        public void aborted(RunPlan plan, boolean clean) {
            hear("aborted " + plan.name() + " " + clean);
        }

        @Override
        public void prepared(RunPlan plan) {
            hear("prepared " + plan.name());
        }

        @Override
        public void launching(RunPlan plan) {
            hear("launching " + plan.name());
        }

        @Override
        public void started(RunPlan plan) {
            hear("started " + plan.name());
        }

        @Override
        public void ended(RunPlan plan, @Nullable String failure, List<Touch> touches) {
            StringBuilder s = new StringBuilder("ended " + plan.name() + (failure == null ? "" : " failed"));
            for (Touch t : touches) {
                s.append(t.written() ? " w" : " r").append(t.task()).append('.').append(t.argument());
                s.append(range(t.address(), t.bytes()));
            }
            hear(s.toString());
        }

        @Override
        public void finalizing(RunPlan plan) {
            hear("finalizing " + plan.name());
        }

        @Override
        public void finalized(RunPlan plan, Finalization outcome) {
            hear("finalized " + plan.name() + " " + outcome.outcome());
        }

        @Override
        public void allocated(String label, long address, long bytes) {
            hear("allocated " + label + " " + range(address, bytes));
        }

        @Override
        public void freed(long address, long bytes) {
            hear("freed " + range(address, bytes));
        }

        @Override
        public void accessed(String label, boolean written, long address, long bytes) {
            hear(label + (written ? " w" : " r") + range(address, bytes));
        }

        @Override
        public void reset() {
            hear("reset");
        }

        @Override
        public void violation(String sentence) {
            hear("violation");
        }
    }

    private final StepRuntime time = new StepRuntime();
    private final Rig r = new Rig(SimSettings.defaults(), time);
    private final Recorder seen = new Recorder();

    @Test
    void hearsOfARunFromBeginToEnd() throws Exception {
        r.control.observe(seen);
        long x = r.floats("x", 1, 2, 3, 4);
        long y = r.device.allocate("y", 8);
        PreparedRun a = r.launched("A", "copy", Rig.on(Role.IN, x, 2), Rig.on(Role.OUT, y, 2));
        r.control.fail("B", Point.EXECUTE, Fault.ERROR);
        PreparedRun b = r.launched("B", "inc", Rig.on(Role.OUT, y, 1), Rig.value(1));
        time.rest();
        a.finalizeRun();
        b.finalizeRun();
        r.device.copy("c", x, y, 4);
        r.device.free("y", y);
        assertThatThrownBy(() -> r.device.free("y", y)).isInstanceOf(DriverException.class);
        r.device.reset();
        assertThat(seen.heard)
                .containsExactly(
                        "allocated x [0+16]",
                        "write x w[0+16]",
                        "allocated y [64+8]",
                        "began A",
                        "prepared A",
                        "launching A",
                        "started A",
                        "began B",
                        "prepared B",
                        "launching B",
                        "ended A r0.0[0+8] w0.1[64+8]",
                        "started B",
                        "ended B failed w0.0[64+4]",
                        "finalizing A",
                        "finalized A COMPLETED",
                        "finalizing B",
                        "finalized B FAILED_BUT_DRAINED",
                        "copy c r[0+4]",
                        "copy c w[64+4]",
                        "freed [64+8]",
                        "violation",
                        "reset");
        r.control.observe(null);
        r.floats("z", 1);
        assertThat(seen.heard).last().isEqualTo("reset");
    }

    @Test
    void hearsOfScratchTasksAndStridesInOrder() throws Exception {
        long x = r.floats("x", 1, 2, 3, 4, 5, 6);
        PlannedArgument rows =
                new PlannedArgument.OnDevice(Role.OUT, DataType.F32, x, List.of(2L, 2L), List.of(3L, 1L), x, 20);
        r.control.observe(seen);
        Preparation p = r.device.begin(r.plan("A", "fill", false, rows, Rig.value(9)));
        long s = p.scratch(16);
        Task.TaskArgument scratch = new Task.TaskArgument.Scratch(s, 16);
        p.emit(new Task("fill", List.of(scratch, new Task.TaskArgument.OfRun(1)), List.of()));
        p.emit(new Task("copy", List.of(scratch, new Task.TaskArgument.OfRun(0)), List.of()));
        assertThatThrownBy(() -> p.emit(new Task(
                        "copy",
                        List.of(new Task.TaskArgument.Scratch(x, 4), new Task.TaskArgument.OfRun(0)),
                        List.of())))
                .hasMessageContaining("no scratch memory of run A");
        PreparedRun a = p.prepare();
        a.launch(() -> {});
        time.rest();
        assertThat(a.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        assertThat(r.read(x, 6)).containsExactly(9, 9, 3, 9, 9, 6);
        assertThat(seen.heard)
                .contains(
                        "allocated scratch of run A [64+16]",
                        "ended A w0.0[64+16] r1.0[64+16] w1.1[0+8] w1.1[12+8]",
                        "freed [64+16]");
        Preparation q = r.device.begin(r.plan("B", "fill", false));
        q.abort();
        r.control.fail("C", Point.CLEANUP, Fault.ERROR);
        Preparation c = r.device.begin(r.plan("C", "fill", false));
        assertThatThrownBy(c::abort).isInstanceOf(DriverException.class);
        assertThat(seen.heard).contains("aborted B true", "aborted C false").doesNotContain("violation");
    }

    @Test
    void mayAskTheControlFromInsideACall() throws Exception {
        List<String> states = new ArrayList<>();
        r.control.observe(new SimObserver() {
            @Override
            public void ended(RunPlan plan, @Nullable String failure, List<Touch> touches) {
                states.add(String.valueOf(r.control.stateOf(plan.name())));
            }

            @Override
            public void violation(String sentence) {
                states.addAll(r.control.violations());
            }
        });
        r.launched("A", "fill", Rig.staged(Role.OUT, Rig.memory(0)), Rig.value(1));
        time.rest();
        assertThatThrownBy(() -> r.device.free("x", 1)).isInstanceOf(DriverException.class);
        assertThat(states).containsExactly("ENDED", "free x: 0x1 is not allocated");
    }
}
