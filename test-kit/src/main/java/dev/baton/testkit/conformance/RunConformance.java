package dev.baton.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunId;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.Finalization;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.Progress;
import dev.baton.protocol.driver.RunPlan;
import dev.baton.protocol.driver.Task;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of one run at a time: attempts, values, host arguments, scratch, finalizing. */
public abstract class RunConformance extends MemoryConformance {
    private static final String NO_KERNEL = "no_such_kernel";
    private static final int RUNS = 40;
    private static final int MANY = 10_000;

    @Test
    void aRunComputesAndTouchesNothingElse() throws DriverException {
        long x = floats("x", 9, 1, 2, 3, 9);
        long y = floats("y", 8, 0, 0, 0, 8);
        complete(plan("offsets", false, x + 4, y + 4, 3, 10));
        assertThat(read(y, 5)).containsExactly(8, 11, 12, 13, 8);
        assertThat(read(x, 5)).containsExactly(9, 1, 2, 3, 9);
    }

    @Test
    void largeTensorsAreComputedWhole() throws DriverException {
        float[] values = new float[MANY];
        for (int i = 0; i < MANY; i++) {
            values[i] = i;
        }
        long x = floats("x", values);
        long y = device.allocate("y", MANY * 4L);
        complete(plan("large", false, x, y, MANY, 1));
        float[] got = read(y, MANY);
        for (int i = 0; i < MANY; i++) {
            assertThat(got[i]).isEqualTo(i + 1);
        }
    }

    @Test
    void runsFollowOneAnotherOnTheSameMemory() throws DriverException {
        long x = floats("x", 0, 1);
        long y = device.allocate("y", 8);
        for (int i = 0; i < RUNS / 2; i++) {
            complete(plan("there", false, x, y, 2, 1));
            complete(plan("back", false, y, x, 2, 1));
        }
        assertThat(read(x, 2)).containsExactly(RUNS, RUNS + 1);
    }

    @Test
    void finalizeAloneEndsALaunchedRun() throws DriverException {
        long x = floats("x", 1);
        long y = floats("y", 0);
        PreparedRun run = prepared(plan("unasked", false, x, y, 1, 1));
        Heard heard = launch(run);
        if (can().nonBlocking()) {
            until("the listener hears of the end", () -> heard.times() > 0);
        }
        assertThat(run.finalizeRun().outcome()).isEqualTo(Finalization.Outcome.COMPLETED);
        assertThat(read(y, 1)).containsExactly(2);
    }

    @Test
    void anEndedRunSaysSoAsOftenAsItIsAsked() throws DriverException {
        long x = floats("x", 1);
        long y = floats("y", 0);
        PreparedRun run = prepared(plan("asked", false, x, y, 1, 1));
        Heard heard = launch(run);
        assertThat(ended(run, heard)).isEqualTo(Progress.ENDED);
        assertThat(run.await(0)).isEqualTo(Progress.ENDED);
        assertThat(run.await(Long.MAX_VALUE)).isEqualTo(Progress.ENDED);
        assertThat(run.await(0)).isEqualTo(Progress.ENDED);
        assertThat(run.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        if (can().nonBlocking()) {
            until("the listener hears of the end", () -> heard.times() > 0);
        }
        assertThat(heard.times()).as("calls of the listener").isLessThanOrEqualTo(1);
    }

    @Test
    void aRunThatWasNeverLaunchedIsProvenAndWritesNothing() throws DriverException {
        long x = floats("x", 1);
        long y = floats("y", 7);
        assertThat(prepared(plan("left", false, x, y, 1, 1)).finalizeRun().outcome())
                .isNotEqualTo(Finalization.Outcome.UNPROVEN);
        HostMemory out = memory(5);
        assertThat(prepared(plan("staged", false, staged(Role.IN, memory(1)), staged(Role.OUT, out), 1))
                        .finalizeRun()
                        .outcome())
                .isNotEqualTo(Finalization.Outcome.UNPROVEN);
        assertThat(read(y, 1)).containsExactly(7);
        assertThat(values(out)).containsExactly(5);
        complete(plan("after", false, x, y, 1, 1));
        assertThat(read(y, 1)).containsExactly(2);
    }

    @Test
    void hostArgumentsAreReadInPrepareAndWrittenByFinalize() throws DriverException {
        HostMemory in = memory(1, 2, 3);
        HostMemory out = memory(-1, -1, -1);
        PreparedRun run = prepared(plan("host", false, staged(Role.IN, in), staged(Role.OUT, out), 10));
        in.single().putFloat(0, 100);
        assertThat(ended(run)).isEqualTo(Progress.ENDED);
        assertThat(values(out)).as("before finalize").containsExactly(-1, -1, -1);
        assertThat(run.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        assertThat(values(out)).containsExactly(11, 12, 13);
        assertThat(values(in)).containsExactly(100, 2, 3);
    }

    /** No task writes them: what comes back is what lay in the staging when the run was prepared (B10). */
    @Test
    void whatABuildWroteIntoHostOutputsComesBack() throws DriverException {
        long x = floats("x", 1, 2);
        HostMemory out = memory(5, 6);
        Preparation p = device.begin(plan("no task", false, on(Role.IN, x, 2), staged(Role.OUT, out), 1));
        PreparedRun run = p.prepare();
        for (int i = 0; i < 2; i++) {
            out.single().putFloat(4 * i, 0);
        }
        assertThat(ended(run)).isEqualTo(Progress.ENDED);
        assertThat(run.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        assertThat(values(out)).containsExactly(5, 6);
    }

    @Test
    void hostAndDeviceArgumentsMix() throws DriverException {
        long y = device.allocate("y", 8);
        complete(plan("up", false, staged(Role.IN, memory(1, 2)), on(Role.OUT, y, 2), 1));
        assertThat(read(y, 2)).containsExactly(2, 3);
        HostMemory out = HostMemory.allocate(8);
        complete(plan("down", false, on(Role.IN, y, 2), staged(Role.OUT, out), 1));
        assertThat(values(out)).containsExactly(3, 4);
    }

    @Test
    void anAbortedAttemptLeavesNoTraceAndTheNextOneWorks() throws DriverException {
        long x = floats("x", 1);
        long y = floats("y", 7);
        RunPlan first = plan("twice", false, x, y, 1, 1);
        Preparation attempt = device.begin(first);
        attempt.emit(task(first));
        attempt.abort();
        device.begin(plan("empty", false, x, y, 1, 1)).abort();
        assertThat(read(y, 1)).containsExactly(7);
        complete(new RunPlan(
                first.run(), first.name(), first.callable(), 2, first.arguments(), first.exclusive(), first.early()));
        assertThat(read(y, 1)).containsExactly(2);
    }

    @Test
    void abortGivesScratchBack() throws DriverException {
        for (int i = 0; i < 3; i++) {
            Preparation p = device.begin(plan("aborted", false, floats("x", 1), floats("y", 1), 1, 1));
            p.scratch(roomBytes() / 2);
            p.scratch(roomBytes() / 2);
            p.abort();
        }
        device.allocate("room", roomBytes());
    }

    @Test
    void finalizeGivesScratchBackLaunchedOrNot() throws DriverException {
        long x = floats("x", 1);
        long y = floats("y", 1);
        for (int i = 0; i < 4; i++) {
            RunPlan plan = plan("scratch", false, x, y, 1, 1);
            Preparation p = device.begin(plan);
            p.scratch(roomBytes());
            p.emit(task(plan));
            PreparedRun run = p.prepare();
            if (i % 2 == 0) {
                assertThat(ended(run)).isEqualTo(Progress.ENDED);
            }
            assertThat(run.finalizeRun().outcome()).isNotEqualTo(Finalization.Outcome.UNPROVEN);
        }
        device.allocate("room", roomBytes());
    }

    @Test
    void scratchOverlapsNothing() throws DriverException {
        long x = floats("x", 1);
        long y = floats("y", 2);
        Preparation p = device.begin(plan("scratch", false, x, y, 1, 1));
        long a = p.scratch(64);
        long b = p.scratch(64);
        long after = device.allocate("after", 64);
        long[] all = {x, y, a, b, after};
        for (int i = 0; i < all.length; i++) {
            for (int j = 0; j < i; j++) {
                long bytes = all[j] == x || all[j] == y ? 4 : 64;
                assertThat(all[i] < all[j] + bytes && all[j] < all[i] + (i < 2 ? 4 : 64))
                        .as("%x overlaps %x", all[i], all[j])
                        .isFalse();
            }
        }
        p.abort();
    }

    @Test
    void memoryCallsGoOnWhileABuildRuns() throws DriverException {
        long x = floats("x", 1, 2);
        long y = device.allocate("y", 8);
        RunPlan plan = plan("building", false, x, y, 2, 1);
        Preparation p = device.begin(plan);
        long other = got(async(() -> {
            long at = floats("other", 5);
            device.free("spare", device.allocate("spare", 64));
            return at;
        }));
        assertThat(read(other, 1)).containsExactly(5);
        assertThat(read(x, 2)).containsExactly(1, 2);
        p.emit(task(plan));
        PreparedRun run = p.prepare();
        assertThat(ended(run)).isEqualTo(Progress.ENDED);
        assertThat(run.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        assertThat(read(y, 2)).containsExactly(2, 3);
    }

    @Test
    void whatABuildRecordedIsWrittenAtOnceAndUnderTheRun() throws DriverException {
        long x = floats("x", 1, 2);
        long y = floats("y", 7, 7);
        PreparedRun never = prepared(plan("never launched", false, x, y, 2, 1));
        never.write(y + 4, memory(3), 4);
        assertThat(never.finalizeRun().outcome()).isNotEqualTo(Finalization.Outcome.UNPROVEN);
        assertThat(read(y, 2)).containsExactly(7, 3);
        PreparedRun run = prepared(plan("launched", false, x, y, 2, 1));
        run.write(y, memory(5, 5), 8);
        assertThat(ended(run)).isEqualTo(Progress.ENDED);
        assertThat(run.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        assertThat(read(y, 2)).containsExactly(2, 3);
    }

    @Test
    void anUnknownKernelIsNamedWhenItIsRegistered() {
        CallableSpec unknown = new CallableSpec("unknown", NO_KERNEL, addConst().signature());
        assertThatThrownBy(() -> device.register(unknown))
                .isInstanceOf(DriverException.class)
                .hasMessageContaining(NO_KERNEL);
    }

    @Test
    void anUnknownKernelEndsThePreparationAndItsAbortIsClean() throws DriverException {
        long x = floats("x", 1);
        long y = floats("y", 7);
        Preparation p = device.begin(plan("unknown", false, x, y, 1, 1));
        assertThatThrownBy(() -> {
                    p.emit(new Task(NO_KERNEL, List.of(), List.of()));
                    p.prepare();
                })
                .isInstanceOf(DriverException.class)
                .hasMessageContaining(NO_KERNEL);
        p.abort();
        complete(plan("after", false, x, y, 1, 1));
        assertThat(read(y, 1)).containsExactly(2);
    }

    @Test
    void callablesComeAndGo() throws DriverException {
        CallableSpec other =
                new CallableSpec("other", addConst().kernel(), addConst().signature());
        for (int i = 0; i < 3; i++) {
            device.register(other);
            device.unregister(other.name());
        }
        complete(plan("kept", false, floats("x", 1), floats("y", 1), 1, 1));
    }

    @Test
    void wakesAndInterruptsOfUnknownRunsAreHarmless() throws DriverException {
        long x = floats("x", 1);
        long y = floats("y", 1);
        RunPlan over = plan("over", false, x, y, 1, 1);
        complete(over);
        for (RunId id : List.of(new RunId("elsewhere", 7, 1), over.run())) {
            device.wake(id);
            device.interrupt(id);
        }
        complete(plan("after", false, x, y, 1, 1));
    }
}
