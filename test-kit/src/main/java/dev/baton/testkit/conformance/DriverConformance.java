package dev.baton.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.Role;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.ResetOutcome;
import dev.baton.protocol.driver.RunPlan;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * The driver SPI's whole contract as tests. A driver's author extends this class, supplies {@link #driver}, and a
 * {@link #faults} hand where the driver can be held and made to fail:
 *
 * <pre>{@code
 * class MyDriverTest extends DriverConformance {
 *     @Override
 *     protected Driver driver() {
 *         return new MyDriver();
 *     }
 * }
 * }</pre>
 *
 * <p>What a driver does not declare, or its author can't bring about, is reported as skipped with the reason. The tests run on
 * real threads; no test judges by how long something took.
 */
public abstract class DriverConformance extends FailureConformance {
    @Test
    void capabilitiesAreValidAndConstant() throws DriverException {
        assertThat(driver().name()).isNotBlank();
        assertThat(can().errors()).isEmpty();
        complete(plan("between", false, floats("x", 1), floats("y", 1), 1, 1));
        assertThat(device.capabilities()).isEqualTo(can());
    }

    @Test
    void twoOpeningsAreIndependent() throws DriverException {
        Device other = open();
        long here = floats("here", 1);
        long there = other.allocate("there", 4);
        other.write("there", there, memory(2), 0, 4);
        assertThat(read(here, 1)).containsExactly(1);
        other.free("there", there);
        other.close();
        assertThat(read(here, 1)).containsExactly(1);
        complete(plan("still open", false, here, floats("y", 1), 1, 1));
    }

    @Test
    void aQuietDeviceCloses() throws DriverException {
        long x = floats("x", 1);
        long y = floats("y", 1);
        complete(plan("last", false, x, y, 1, 1));
        device.free("x", x);
        device.free("y", y);
        close();
    }

    @Clause(needs = Trait.THREAD_ATTACH)
    void attachedThreadsMayCall() throws DriverException {
        device.attachThread();
        assertThat(got(async(() -> read(floats("x", 3), 1)))).containsExactly(3);
    }

    @Clause(needs = Trait.NO_RESET_PROOF)
    void aResetThatProvesNothingSaysWhy() {
        ResetOutcome outcome = device.reset();
        assertThat(outcome.proven()).isFalse();
        assertThat(outcome.message()).isNotBlank();
    }

    @Clause(needs = Trait.RESET_PROOF)
    void aResetFreesAllMemoryAndKeepsCallables() throws DriverException {
        long x = device.allocate("room", roomBytes());
        reset();
        assertThat(device.allocate("room", roomBytes()) & (can().alignment() - 1))
                .as("misalignment")
                .isZero();
        reset();
        x = floats("x", 1);
        long y = floats("y", 0);
        complete(plan("without registering anew", false, x, y, 1, 1));
        assertThat(read(y, 1)).containsExactly(2);
    }

    @Clause(needs = Trait.RESET_PROOF)
    void oldPreparationsRefuseAfterAReset() throws DriverException {
        RunPlan plan = plan("old", false, floats("x", 1), floats("y", 0), 1, 1);
        Preparation old = device.begin(plan);
        old.scratch(roomBytes());
        reset();
        long fresh = device.allocate("fresh", roomBytes());
        refused("scratch", () -> old.scratch(64));
        refused("prepare", () -> {
            old.emit(task(plan));
            old.prepare();
        });
        refused("abort", old::abort);
        device.free("fresh", fresh);
    }

    @Clause(needs = Trait.RESET_PROOF)
    void oldPreparedRunsRefuseAndTouchNothingAfterAReset() throws DriverException {
        HostMemory out = memory(5);
        long y = floats("y", 0);
        PreparedRun old = prepared(plan("old", false, staged(Role.IN, memory(1)), staged(Role.OUT, out), 1));
        reset();
        Snapshot after = new Snapshot();
        refused("write", () -> old.write(y, memory(66), 4));
        refused("launch", () -> launch(old));
        refused("await", () -> old.await(0));
        refused("finalize", old::finalizeRun);
        after.isUntouched();
        assertThat(values(out)).containsExactly(5);
    }

    @Clause(needs = {Trait.RESET_PROOF, Trait.HOLDS})
    void aResetEndsExecutingAndQueuedWork() throws DriverException {
        DriverFaults hand = hand();
        hand.hold(device, "executing");
        long x = floats("x", 1);
        long y = floats("y", 0);
        PreparedRun executing = prepared(plan("executing", false, x, y, 1, 1));
        launch(executing);
        PreparedRun queued = null;
        if (can().joinedLaunch() && can().maxDepth() > 1) {
            queued = prepared(plan("queued", true, y, x, 1, 1));
            launch(queued);
        }
        CompletableFuture<?> waits = async(() -> executing.await(limitNanos()));
        reset();
        until("the wait in progress ends", waits::isDone);
        Snapshot after = new Snapshot();
        hand.go(device, "executing");
        for (PreparedRun old : queued == null ? List.of(executing) : List.of(executing, queued)) {
            refused("await", () -> old.await(limitNanos()));
            refused("finalize", old::finalizeRun);
        }
        after.isUntouched();
    }

    @Clause(needs = {Trait.RESET_PROOF, Trait.HOLDS})
    void aResetEndsAFinalizeInProgress() throws DriverException {
        hand().hold(device, "executing");
        PreparedRun run = prepared(plan("executing", false, floats("x", 1), floats("y", 0), 1, 1));
        launch(run);
        CompletableFuture<?> ends = async(run::finalizeRun);
        reset();
        until("the finalize in progress ends", ends::isDone);
        new Snapshot().isUntouched();
    }

    private void reset() {
        ResetOutcome outcome = got(async(device::reset));
        assertThat(outcome.proven()).as(outcome.message()).isTrue();
        assertThat(outcome.message()).isNotBlank();
    }

    /** Most of a fresh device's memory, filled, with a run having passed: whatever old work still touches shows. */
    private final class Snapshot {
        private static final int COUNT = 256;
        private final long at;

        Snapshot() throws DriverException {
            at = device.allocate("fresh", roomBytes());
            device.fill("fresh", at, Float.floatToRawIntBits(3), Float.BYTES, roomBytes() / Float.BYTES);
        }

        void isUntouched() throws DriverException {
            complete(plan("fresh", false, at, floats("after", 0), 1, 1));
            assertThat(read(at, COUNT)).containsOnly(3);
        }
    }
}
