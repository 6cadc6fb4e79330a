package dev.baton.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.protocol.DataType;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunId;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.Finalization;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.IncompatibleException;
import dev.baton.protocol.driver.PlannedArgument;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.Progress;
import dev.baton.protocol.driver.ResetOutcome;
import dev.baton.protocol.driver.RunPlan;
import dev.baton.protocol.driver.Task;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SimRunTest {
    @Test
    void kernelsComputeAndTheLogHasNeighbours() throws Exception {
        Rig r = new Rig();
        long x = r.floats("x", 1, 2, 3);
        long y = r.floats("y", 0, 0, 0);
        r.control.hold("A", Point.EXECUTE);
        PreparedRun a = r.launched("A", "add_const", Rig.on(Role.IN, x, 3), Rig.on(Role.OUT, y, 3), Rig.value(1));
        PreparedRun b = r.launched("B", "accumulate", Rig.on(Role.IN, x, 3), Rig.on(Role.INOUT, y, 3));
        assertThat(a.await(0)).isEqualTo(Progress.RUNNING);
        r.control.go("A", Point.EXECUTE);
        assertThat(b.await(Rig.LONG)).isEqualTo(Progress.ENDED);
        assertThat(a.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        assertThat(b.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        assertThat(r.read(y, 3)).containsExactly(3, 5, 7);
        assertThat(r.control.log())
                .containsExactly(
                        "prepare A",
                        "launch A",
                        "start A",
                        "prepare B",
                        "launch B",
                        "end A",
                        "start B",
                        "end B",
                        "finalize A",
                        "finalize B");
        assertThat(r.control.violations()).isEmpty();
        assertThat(r.control.executed("A")).isTrue();
    }

    @Test
    void everyKernel() throws Exception {
        Rig r = new Rig();
        long a = r.floats("a", 1, 2);
        long b = r.floats("b", 10, 20);
        long o = r.floats("o", 0, 0);
        PlannedArgument ia = Rig.on(Role.IN, a, 2);
        PlannedArgument ib = Rig.on(Role.IN, b, 2);
        PlannedArgument out = Rig.on(Role.OUT, o, 2);
        PlannedArgument io = Rig.on(Role.INOUT, o, 2);
        assertThat(result(r, o, "fill", out, Rig.value(7))).containsExactly(7, 7);
        assertThat(result(r, o, "copy", ia, out)).containsExactly(1, 2);
        assertThat(result(r, o, "scale", ia, out, Rig.value(3))).containsExactly(3, 6);
        assertThat(result(r, o, "add", ia, ib, out)).containsExactly(11, 22);
        assertThat(result(r, o, "inc", io, Rig.value(1))).containsExactly(12, 23);
        assertThat(result(r, o, "accumulate", ib, io)).containsExactly(22, 43);
        PlannedArgument back =
                new PlannedArgument.OnDevice(Role.IN, DataType.F32, a + 4, List.of(2L), List.of(-1L), a, 8);
        assertThat(result(r, o, "copy", back, out)).containsExactly(2, 1);
        assertThat(result(r, o, "add_const", back, out, Rig.value(1))).containsExactly(3, 2);
    }

    private static float[] result(Rig r, long o, String kernel, PlannedArgument... args) throws DriverException {
        PreparedRun run = r.launched(kernel, kernel, args);
        assertThat(run.await(Rig.LONG)).isEqualTo(Progress.ENDED);
        assertThat(run.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        return r.read(o, 2);
    }

    @Test
    void stagedArgumentsAreTakenInPrepareAndGivenByFinalize() throws Exception {
        Rig r = new Rig();
        HostMemory in = Rig.memory(1, 2);
        HostMemory out = Rig.memory(0, 0);
        PreparedRun run = r.prepared("A", "copy", Rig.staged(Role.IN, in), Rig.staged(Role.OUT, out));
        in.single().putFloat(0, 99);
        run.launch(() -> {});
        assertThat(run.await(Rig.LONG)).isEqualTo(Progress.ENDED);
        assertThat(Rig.values(out)).containsExactly(0, 0);
        assertThat(run.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        assertThat(Rig.values(out)).containsExactly(1, 2);
    }

    @Test
    void faultsOfARunNameRunArgumentAndAddress() throws Exception {
        Rig r = new Rig();
        long x = r.floats("x", 1, 2);
        long y = r.floats("y", 0, 0, 0);
        assertThat(failure(r, "copy", Rig.on(Role.IN, x, 2), Rig.on(Role.OUT, y, 3)))
                .contains("run A, argument 0 at 0x" + Long.toHexString(x + 8), "outside its 2 elements");
        assertThat(r.read(y, 3)).containsExactly(1, 2, 0);
        assertThat(failure(r, "copy", Rig.on(Role.IN, x, 2), Rig.on(Role.IN, y, 2)))
                .contains("argument 1 at 0x" + Long.toHexString(y), "may not be written");
        assertThat(failure(r, "copy", Rig.on(Role.IN, 0x90000, 2), Rig.on(Role.OUT, y, 2)))
                .contains("argument 0 touches 0x90000, which is not allocated");
        long f = r.control.allocateForeign(8);
        r.control.freeForeign(f);
        assertThat(failure(r, "inc", Rig.on(Role.INOUT, f, 2), Rig.value(1))).contains("not allocated");
    }

    private static String failure(Rig r, String kernel, PlannedArgument... args) throws DriverException {
        PreparedRun run = r.launched("A", kernel, args);
        Progress p = run.await(Rig.LONG);
        assertThat(p.state()).isEqualTo(Progress.State.FAILED);
        Finalization f = run.finalizeRun();
        assertThat(f.outcome()).isEqualTo(Finalization.Outcome.FAILED_BUT_DRAINED);
        assertThat(f.cause()).isEqualTo(p.cause());
        return String.valueOf(p.cause());
    }

    @Test
    void emitChecksWhatItKnows() throws Exception {
        Rig r = new Rig();
        Preparation p = r.device.begin(r.plan("A", "fill", false));
        assertThatThrownBy(() -> p.emit(new Task("nope", List.of(), List.of())))
                .isInstanceOf(DriverException.class)
                .hasMessageContaining("accumulate, add, add_const, copy, fill, inc, scale");
        assertThatThrownBy(() -> p.emit(new Task("fill", List.of(), List.of()))).hasMessageContaining("2 arguments");
        long s = p.scratch(100);
        assertThat(s % 64).isZero();
        assertThat(r.control.scratchBytes()).isEqualTo(100);
        p.abort();
        assertThat(r.control.scratchBytes()).isZero();
        assertThatThrownBy(p::abort).isInstanceOf(DriverException.class);
    }

    @Test
    void prepareHoldsAndFails() throws Exception {
        Rig r = new Rig();
        r.control.hold("A", Point.PREPARE);
        Preparation p = r.begin(r.plan("A", "fill", false, Rig.staged(Role.OUT, Rig.memory(0)), Rig.value(1)));
        CompletableFuture<PreparedRun> f = r.async(p::prepare);
        r.untilHeld("A", "prepare");
        assertThat(f).isNotDone();
        r.control.go("A", Point.PREPARE);
        f.get();
        r.control.go("A", Point.PREPARE);
        r.prepared("A", "fill", Rig.staged(Role.OUT, Rig.memory(0)), Rig.value(1));
        r.control.fail("I", Point.PREPARE, Fault.INCOMPATIBLE);
        Preparation early = r.device.begin(r.plan("I", "fill", true));
        assertThatThrownBy(early::prepare).isInstanceOf(IncompatibleException.class);
        early.abort();
        r.device.begin(r.plan("I", "fill", false)).prepare();
        r.control.fail("E", Point.PREPARE, Fault.ERROR);
        r.control.fail("E", Point.CLEANUP, Fault.ERROR);
        Preparation e = r.device.begin(r.plan("E", "fill", false));
        assertThatThrownBy(e::prepare).hasMessageContaining("prepare");
        assertThatThrownBy(e::abort).hasMessageContaining("abort");
    }

    @Test
    void launchPollAndFinalizeFaults() throws Exception {
        Rig r = new Rig();
        long y = r.floats("y", 0);
        r.control.fail("L", Point.LAUNCH, Fault.ERROR);
        PreparedRun l = r.prepared("L", "fill", Rig.on(Role.OUT, y, 1), Rig.value(1));
        assertThatThrownBy(() -> l.launch(() -> {})).isInstanceOf(DriverException.class);
        assertThat(l.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        r.control.fail("P", Point.POLL, Fault.ERROR);
        PreparedRun p = r.launched("P", "fill", Rig.on(Role.OUT, y, 1), Rig.value(1));
        assertThatThrownBy(() -> p.await(Rig.LONG)).hasMessageContaining("asking");
        assertThat(r.control.executed("P")).isTrue();
        assertThat(p.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        r.control.fail("F", Point.FINALIZE, Fault.ERROR);
        PreparedRun f = r.launched("F", "fill", Rig.on(Role.OUT, y, 1), Rig.value(1));
        f.await(Rig.LONG);
        assertThat(f.finalizeRun().outcome()).isEqualTo(Finalization.Outcome.UNPROVEN);
        assertThatThrownBy(f::finalizeRun).isInstanceOf(IllegalStateException.class);
        assertThat(r.control.violations()).containsExactly("run F was finalized twice");
    }

    @Test
    void executeErrorScribblesAndTheNextStarts() throws Exception {
        Rig r = new Rig();
        long y = r.floats("y", 5);
        r.control.fail("A", Point.EXECUTE, Fault.ERROR);
        r.control.hold("A", Point.EXECUTE);
        PreparedRun a = r.launched("A", "fill", Rig.on(Role.OUT, y, 1), Rig.value(1));
        PreparedRun b = r.launched("B", "fill", Rig.staged(Role.OUT, Rig.memory(0)), Rig.value(1));
        PreparedRun c = r.launched("C", "inc", Rig.on(Role.INOUT, y, 1), Rig.value(1));
        assertThat(c.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        r.control.releaseAll();
        assertThat(b.await(Rig.LONG)).isEqualTo(Progress.ENDED);
        assertThat(a.finalizeRun().outcome()).isEqualTo(Finalization.Outcome.FAILED_BUT_DRAINED);
        assertThat(Float.floatToRawIntBits(r.read(y, 1)[0])).isEqualTo(0xEEEEEEEE);
        assertThat(r.control.log())
                .containsSubsequence("end A", "start B", "end B")
                .doesNotContain("start C");
    }

    @Test
    void hangIsInterruptedAndReset() throws Exception {
        Rig r = new Rig();
        long y = r.floats("y", 5);
        r.control.fail("A", Point.EXECUTE, Fault.HANG);
        RunPlan plan = r.plan("A", "fill", false, Rig.on(Role.OUT, y, 1), Rig.value(1));
        PreparedRun a = r.begin(plan).prepare();
        a.launch(() -> {});
        CompletableFuture<Progress> waits = r.async(() -> a.await(Long.MAX_VALUE));
        while (!waits.isDone()) {
            r.device.wake(plan.run());
        }
        assertThat(waits.get()).isEqualTo(Progress.RUNNING);
        assertThat(a.await(1_000_000)).isEqualTo(Progress.RUNNING);
        CompletableFuture<Finalization> ends = r.async(a::finalizeRun);
        r.until(() -> r.control.log().contains("finalize A"));
        r.device.wake(plan.run());
        assertThat(ends).isNotDone();
        r.device.interrupt(plan.run());
        r.device.interrupt(new RunId("d", 9, 9));
        assertThat(ends.get().outcome()).isEqualTo(Finalization.Outcome.UNPROVEN);
        assertThat(ends.get().cause()).contains("still executing");
        assertThat(a.await(Long.MAX_VALUE)).isEqualTo(Progress.RUNNING);
        r.device.free("y", y);
        assertThat(r.control.violations()).hasSize(1);

        r.control.hold("B", Point.LAUNCH);
        PreparedRun b = r.prepared("B", "fill", Rig.staged(Role.OUT, Rig.memory(0)), Rig.value(1));
        CompletableFuture<Boolean> launch = r.async(() -> {
            b.launch(() -> {});
            return true;
        });
        r.untilHeld("B", "launch");
        r.control.faultNext(CallKind.RESET, 1);
        assertThat(r.device.reset().proven()).isFalse();
        r.control.holdCall("reset");
        CompletableFuture<ResetOutcome> reset = r.async(r.device::reset);
        r.untilHeld("reset", "call");
        r.control.goCall("reset");
        assertThat(reset.get().proven()).isTrue();
        assertThatThrownBy(launch::get).hasMessageContaining("the device was reset");
        assertThatThrownBy(() -> a.await(0)).hasMessageContaining("the device was reset");
        assertThatThrownBy(b::finalizeRun).hasMessageContaining("the device was reset");
        assertThat(r.control.held()).isEmpty();
        assertThat(r.control.allocatedBytes()).isZero();
        long z = r.floats("z", 1);
        PreparedRun again = r.launched("A", "inc", Rig.on(Role.INOUT, z, 1), Rig.value(1));
        assertThat(again.await(Rig.LONG)).isEqualTo(Progress.ENDED);
        assertThat(r.read(y, 1)).containsExactly(2);
        assertThat(r.runtime.thrown).isEmpty();
    }

    @Test
    void aResetLetsAnExecutingKernelTouchNothing() throws Exception {
        CompletableFuture<Void> inside = new CompletableFuture<>();
        CompletableFuture<Void> go = new CompletableFuture<>();
        CompletableFuture<Void> over = new CompletableFuture<>();
        Rig r = new Rig(SimSettings.defaults().kernel("slow", call -> {
            call.tensor(0).set(0, 1);
            inside.complete(null);
            go.join();
            try {
                call.tensor(0).set(0, 2);
            } finally {
                over.complete(null);
            }
        }));
        long y = r.floats("y", 0);
        r.launched("A", "slow", Rig.on(Role.OUT, y, 1));
        inside.get();
        assertThat(r.device.reset().proven()).isTrue();
        assertThat(r.floats("z", 7)).isEqualTo(y);
        go.complete(null);
        over.get();
        assertThat(r.read(y, 1)).containsExactly(7);
        assertThat(r.control.log()).doesNotContain("end A");
    }
}
