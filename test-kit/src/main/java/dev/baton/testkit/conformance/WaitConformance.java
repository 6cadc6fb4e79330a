package dev.baton.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.Finalization;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.Progress;
import dev.baton.protocol.driver.RunPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The contract of waiting, and of runs beside one another. Most of it needs {@link DriverFaults#hold}. */
public abstract class WaitConformance extends RunConformance {
    private static final int CHAIN = 8;

    /** A run that stands on the device, from x to y. */
    private final class Standing {
        final long x = floats("x", 1, 2);
        final long y = floats("y", 0, 0);
        final RunPlan plan = plan("standing", false, x, y, 2, 1);
        final PreparedRun run;
        final Heard heard;

        Standing() throws DriverException {
            hand().hold(device, plan.name());
            run = prepared(plan);
            heard = launch(run);
            assertThat(run.await(0)).isEqualTo(Progress.RUNNING);
        }

        void go() {
            hand().go(device, plan.name());
        }

        void finish() throws DriverException {
            go();
            assertThat(ended(run, heard)).isEqualTo(Progress.ENDED);
            assertThat(run.finalizeRun()).isEqualTo(Finalization.COMPLETED);
            assertThat(read(y, 2)).containsExactly(2, 3);
        }
    }

    @Clause(needs = Trait.HOLDS)
    void launchDoesNotWaitForTheDevice() throws DriverException {
        Standing s = new Standing();
        assertThat(read(s.x, 2)).containsExactly(1, 2);
        assertThat(s.heard.times()).isZero();
        s.finish();
    }

    @Clause(needs = Trait.HOLDS)
    void awaitIsBoundedByItsLimit() throws DriverException {
        Standing s = new Standing();
        for (long limit : new long[] {0, -1, 1, STEP_NANOS}) {
            assertThat(s.run.await(limit)).isEqualTo(Progress.RUNNING);
        }
        s.finish();
    }

    @Clause(needs = {Trait.BLOCKING, Trait.HOLDS})
    void awaitEndsWithTheRun() throws DriverException {
        Standing s = new Standing();
        CompletableFuture<Progress> waits = async(() -> s.run.await(limitNanos()));
        s.go();
        assertThat(got(waits)).isEqualTo(Progress.ENDED);
        s.finish();
    }

    @Clause(needs = {Trait.BLOCKING, Trait.HOLDS})
    void aWakeEndsTheStandingWait() throws DriverException {
        Standing s = new Standing();
        // longer than the suite waits: the limit alone must not end it
        CompletableFuture<Progress> waits = async(() -> s.run.await(Long.MAX_VALUE));
        until("a wake ends the wait", () -> {
            device.wake(s.plan.run());
            return waits.isDone();
        });
        assertThat(got(waits)).isEqualTo(Progress.RUNNING);
        s.finish();
    }

    @Clause(needs = {Trait.BLOCKING, Trait.HOLDS})
    void aWakeDoesNotReachLaterWaitsNorFinalize() throws DriverException {
        Standing s = new Standing();
        device.wake(s.plan.run());
        CompletableFuture<Progress> waits = async(() -> s.run.await(limitNanos()));
        s.go();
        assertThat(got(waits)).isEqualTo(Progress.ENDED);
        CompletableFuture<Finalization> ends = async(s.run::finalizeRun);
        device.wake(s.plan.run());
        assertThat(got(ends)).isEqualTo(Finalization.COMPLETED);
    }

    @Clause(needs = {Trait.RESET_PROOF, Trait.HOLDS})
    void anInterruptEndsPresentAndFutureWaits() throws DriverException {
        Standing s = new Standing();
        CompletableFuture<Progress> waits = async(() -> s.run.await(Long.MAX_VALUE));
        device.interrupt(s.plan.run());
        assertThat(got(waits)).isEqualTo(Progress.RUNNING);
        assertThat(got(async(() -> s.run.await(Long.MAX_VALUE)))).isEqualTo(Progress.RUNNING);
        Finalization end = got(async(s.run::finalizeRun));
        assertThat(end.outcome()).isNotEqualTo(Finalization.Outcome.COMPLETED);
        assertThat(end.cause()).isNotBlank();
        assertThat(device.reset().proven()).isTrue();
    }

    @Clause(needs = Trait.HOLDS)
    void anInterruptDoesNotSpoilARunThatHasEnded() throws DriverException {
        Standing s = new Standing();
        s.go();
        assertThat(ended(s.run, s.heard)).isEqualTo(Progress.ENDED);
        device.interrupt(s.plan.run());
        assertThat(s.run.await(0)).isEqualTo(Progress.ENDED);
        assertThat(s.run.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        assertThat(read(s.y, 2)).containsExactly(2, 3);
    }

    @Clause(needs = {Trait.BLOCKING, Trait.HOLDS})
    void finalizeDrainsAnExecutingRun() throws DriverException {
        Standing s = new Standing();
        CompletableFuture<Finalization> ends = async(s.run::finalizeRun);
        device.wake(s.plan.run());
        s.go();
        assertThat(got(ends)).isEqualTo(Finalization.COMPLETED);
        assertThat(read(s.y, 2)).containsExactly(2, 3);
    }

    @Clause(needs = {Trait.NON_BLOCKING, Trait.RESET_PROOF, Trait.HOLDS})
    void aNonBlockingFinalizeOfAnExecutingRunProvesNothing() throws DriverException {
        Standing s = new Standing();
        assertThat(s.run.finalizeRun().outcome()).isEqualTo(Finalization.Outcome.UNPROVEN);
        assertThat(device.reset().proven()).isTrue();
    }

    @Clause(needs = Trait.HOLDS)
    void memoryCallsGoOnWhileARunExecutes() throws DriverException {
        Standing s = new Standing();
        long other = got(async(() -> floats("other", 4)));
        assertThat(read(other, 1)).containsExactly(4);
        device.free("other", other);
        assertThat(s.run.await(0)).isEqualTo(Progress.RUNNING);
        s.finish();
    }

    @Clause(needs = {Trait.CONCURRENT_PREPARE, Trait.HOLDS})
    void aSuccessorIsPreparedWhileARunExecutes() throws DriverException {
        Standing s = new Standing();
        long z = device.allocate("z", 8);
        RunPlan behind = plan("behind", true, s.y, z, 2, 10);
        PreparedRun run = got(async(() -> prepared(behind)));
        device.begin(plan("given up", true, s.x, z, 2, 1)).abort();
        assertThat(s.run.await(0)).isEqualTo(Progress.RUNNING);
        s.finish();
        assertThat(ended(run)).isEqualTo(Progress.ENDED);
        assertThat(run.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        assertThat(read(z, 2)).containsExactly(12, 13);
    }

    @Clause(needs = Trait.JOINED_LAUNCH)
    void launchedRunsExecuteInOrder() throws DriverException {
        int count = Math.min(CHAIN, can().maxDepth());
        long[] at = new long[count + 1];
        at[0] = floats("b0", 1);
        for (int i = 1; i <= count; i++) {
            at[i] = floats("b" + i, 0);
        }
        for (int round = 0; round < CHAIN; round++) {
            List<PreparedRun> runs = new ArrayList<>();
            List<Heard> heard = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                PreparedRun run = prepared(plan("link" + i, i > 0, at[i], at[i + 1], 1, round));
                runs.add(run);
                heard.add(launch(run));
            }
            for (int i = 0; i < count; i++) {
                assertThat(ended(runs.get(i), heard.get(i))).isEqualTo(Progress.ENDED);
                assertThat(runs.get(i).finalizeRun()).isEqualTo(Finalization.COMPLETED);
            }
            assertThat(read(at[count], 1)).containsExactly(1 + count * round);
        }
    }

    @Clause(needs = {Trait.JOINED_LAUNCH, Trait.HOLDS})
    void aRunLaunchedBehindWaitsOnTheDevice() throws DriverException {
        Standing s = new Standing();
        long z = floats("z", 0, 0);
        PreparedRun behind = prepared(plan("behind", true, s.y, z, 2, 10));
        Heard heard = launch(behind);
        assertThat(behind.await(0)).isEqualTo(Progress.RUNNING);
        assertThat(behind.await(1)).isEqualTo(Progress.RUNNING);
        s.go();
        assertThat(ended(behind, heard)).isEqualTo(Progress.ENDED);
        assertThat(s.run.await(0)).as("what was launched before has ended").isEqualTo(Progress.ENDED);
        s.finish();
        assertThat(behind.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        assertThat(read(z, 2)).containsExactly(12, 13);
    }

    @Clause(needs = {Trait.JOINED_LAUNCH, Trait.HOLDS})
    void finalizeTakesOffWhatHasNotStarted() throws DriverException {
        Standing s = new Standing();
        long z = floats("z", 5, 5);
        PreparedRun behind = prepared(plan("behind", true, s.y, z, 2, 10));
        launch(behind);
        assertThat(got(async(behind::finalizeRun)).outcome()).isNotEqualTo(Finalization.Outcome.UNPROVEN);
        s.finish();
        assertThat(read(z, 2)).containsExactly(5, 5);
    }
}
