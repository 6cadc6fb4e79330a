package dev.baton.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.protocol.Role;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.Finalization;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.IncompatibleException;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.Progress;
import dev.baton.protocol.driver.RunPlan;
import dev.baton.testkit.conformance.DriverFaults.FailPoint;

/** The contract of failures: each is told, none is told as success, and what is proven stays usable. */
public abstract class FailureConformance extends WaitConformance {
    @Clause(fails = FailPoint.PREPARE)
    void aFailedPreparationIsAbortedAndGivesEverythingBack() throws DriverException {
        fail("failing", FailPoint.PREPARE);
        long x = floats("x", 1);
        long y = floats("y", 7);
        RunPlan plan = plan("failing", false, x, y, 1, 1);
        Preparation p = device.begin(plan);
        p.scratch(roomBytes());
        p.emit(task(plan));
        assertThatThrownBy(p::prepare)
                .isInstanceOf(DriverException.class)
                .isNotInstanceOf(IncompatibleException.class)
                .message()
                .isNotBlank();
        p.abort();
        device.free("room", device.allocate("room", roomBytes()));
        assertThat(read(y, 1)).containsExactly(7);
        complete(plan("after", false, x, y, 1, 1));
    }

    @Clause(needs = Trait.CONCURRENT_PREPARE, fails = FailPoint.INCOMPATIBLE)
    void anIncompatibleRunCanBePreparedAtTheFront() throws DriverException {
        fail("picky", FailPoint.INCOMPATIBLE);
        long x = floats("x", 1);
        long y = floats("y", 7);
        PreparedRun ahead = prepared(plan("ahead", false, x, floats("z", 0), 1, 1));
        RunPlan early = plan("picky", true, x, y, 1, 1);
        Preparation p = device.begin(early);
        p.emit(task(early));
        assertThatThrownBy(p::prepare)
                .isInstanceOf(IncompatibleException.class)
                .message()
                .isNotBlank();
        p.abort();
        assertThat(ended(ahead)).isEqualTo(Progress.ENDED);
        assertThat(ahead.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        complete(new RunPlan(early.run(), early.name(), early.callable(), 2, early.arguments(), false, false));
        assertThat(read(y, 1)).containsExactly(2);
    }

    @Clause(fails = FailPoint.ABORT)
    void aFailedAbortIsTold() throws DriverException {
        fail("stuck", FailPoint.ABORT);
        Preparation p = device.begin(plan("stuck", false, floats("x", 1), floats("y", 1), 1, 1));
        assertThatThrownBy(p::abort).message().isNotBlank();
    }

    @Clause(fails = FailPoint.LAUNCH)
    void aFailedLaunchIsFinalizedWithProof() throws DriverException {
        fail("failing", FailPoint.LAUNCH);
        long x = floats("x", 1);
        long y = floats("y", 7);
        PreparedRun run = prepared(plan("failing", false, x, y, 1, 1));
        assertThatThrownBy(() -> launch(run)).message().isNotBlank();
        assertThat(run.finalizeRun().outcome()).isNotEqualTo(Finalization.Outcome.UNPROVEN);
        assertThat(read(y, 1)).containsExactly(7);
        complete(plan("after", false, x, y, 1, 1));
        assertThat(read(y, 1)).containsExactly(2);
    }

    @Clause(fails = FailPoint.EXECUTE)
    void failedWorkIsToldWhileItIsWaitedFor() throws DriverException {
        fail("failing", FailPoint.EXECUTE);
        long x = floats("x", 1);
        long y = floats("y", 7);
        PreparedRun run = prepared(plan("failing", false, x, y, 1, 1));
        demandFailed(ended(run));
        demandDrained(run.finalizeRun());
        complete(plan("after", false, x, y, 1, 1));
        assertThat(read(y, 1)).containsExactly(2);
    }

    /** R19: waiting for something that has ended already must not take its failure for success. */
    @Clause(fails = FailPoint.EXECUTE)
    void failedWorkIsToldAlsoWhenItHasEndedAlready() throws DriverException {
        fail("failing", FailPoint.EXECUTE);
        PreparedRun run = prepared(plan("failing", false, floats("x", 1), floats("y", 7), 1, 1));
        demandFailed(ended(run));
        demandFailed(run.await(0));
        demandFailed(run.await(limitNanos()));
        demandDrained(run.finalizeRun());
    }

    @Clause(fails = FailPoint.EXECUTE)
    void failedWorkIsToldByFinalizeAlone() throws DriverException {
        fail("failing", FailPoint.EXECUTE);
        PreparedRun run = prepared(plan("failing", false, floats("x", 1), floats("y", 7), 1, 1));
        Heard heard = launch(run);
        if (can().nonBlocking()) {
            until("the listener hears of the end", () -> heard.times() > 0);
        }
        demandDrained(run.finalizeRun());
    }

    @Clause(fails = FailPoint.EXECUTE)
    void failedWorkGivesNoHostOutputs() throws DriverException {
        fail("failing", FailPoint.EXECUTE);
        HostMemory out = memory(5);
        PreparedRun run = prepared(plan("failing", false, staged(Role.IN, memory(1)), staged(Role.OUT, out), 1));
        demandFailed(ended(run));
        demandDrained(run.finalizeRun());
        assertThat(values(out)).containsExactly(5);
    }

    @Clause(fails = FailPoint.EXECUTE)
    void failedWorkGivesScratchBack() throws DriverException {
        fail("failing", FailPoint.EXECUTE);
        RunPlan plan = plan("failing", false, floats("x", 1), floats("y", 7), 1, 1);
        Preparation p = device.begin(plan);
        p.scratch(roomBytes());
        p.emit(task(plan));
        PreparedRun run = p.prepare();
        demandFailed(ended(run));
        demandDrained(run.finalizeRun());
        device.allocate("room", roomBytes());
    }

    @Clause(needs = Trait.JOINED_LAUNCH, fails = FailPoint.EXECUTE)
    void whatWasLaunchedBehindFailedWorkEndsToo() throws DriverException {
        fail("failing", FailPoint.EXECUTE);
        long x = floats("x", 1);
        long y = floats("y", 0);
        long z = floats("z", 0);
        DriverFaults hand = faults().orElseThrow();
        if (hand.holds()) {
            hand.hold(device, "failing");
        }
        PreparedRun run = prepared(plan("failing", false, x, y, 1, 1));
        Heard heard = launch(run);
        PreparedRun behind = prepared(plan("behind", true, y, z, 1, 1));
        Heard heardBehind = launch(behind);
        if (hand.holds()) {
            hand.go(device, "failing");
        }
        demandFailed(ended(run, heard));
        Progress end = ended(behind, heardBehind);
        if (can().cancelsBehindFailure() && hand.holds()) {
            demandFailed(end);
        }
        demandDrained(run.finalizeRun());
        assertThat(behind.finalizeRun().outcome())
                .isEqualTo(
                        end.state() == Progress.State.FAILED
                                ? Finalization.Outcome.FAILED_BUT_DRAINED
                                : Finalization.Outcome.COMPLETED);
        complete(plan("after", false, x, y, 1, 1));
        assertThat(read(y, 1)).containsExactly(2);
    }

    @Clause(fails = FailPoint.ASK)
    void aFailedQuestionIsNoAnswer() throws DriverException {
        fail("unclear", FailPoint.ASK);
        PreparedRun run = prepared(plan("unclear", false, floats("x", 1), floats("y", 7), 1, 1));
        Heard heard = launch(run);
        assertThatThrownBy(() -> ended(run, heard))
                .isNotInstanceOf(AssertionError.class)
                .message()
                .isNotBlank();
        run.finalizeRun();
    }

    @Clause(fails = FailPoint.FINALIZE)
    void aFinalizeThatProvesNothingSaysSo() throws DriverException {
        fail("unproven", FailPoint.FINALIZE);
        PreparedRun run = prepared(plan("unproven", false, floats("x", 1), floats("y", 7), 1, 1));
        ended(run);
        Finalization end;
        try {
            end = run.finalizeRun();
        } catch (DriverException | RuntimeException e) {
            end = Finalization.unproven(String.valueOf(e.getMessage()));
        }
        assertThat(end.outcome()).isEqualTo(Finalization.Outcome.UNPROVEN);
        assertThat(end.cause()).isNotBlank();
    }

    private static void demandFailed(Progress p) {
        assertThat(p.state()).isEqualTo(Progress.State.FAILED);
        assertThat(p.cause()).isNotBlank();
    }

    private static void demandDrained(Finalization f) {
        assertThat(f.outcome()).isEqualTo(Finalization.Outcome.FAILED_BUT_DRAINED);
        assertThat(f.cause()).isNotBlank();
    }
}
