package dev.baton.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.Role;
import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.Finalization;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SimTimeTest {
    @Test
    void nothingTakesTimeByDefault() throws Exception {
        StepRuntime time = new StepRuntime();
        Rig r = new Rig(SimSettings.defaults(), time);
        long x = r.floats("x", 1);
        PreparedRun a = r.launched("A", "inc", Rig.on(Role.INOUT, x, 1), Rig.value(1));
        assertThat(r.control.stateOf("A")).isEqualTo(RunState.EXECUTING);
        assertThat(a.await(1000)).isEqualTo(Progress.ENDED);
        assertThat(a.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        assertThat(r.control.stateOf("A")).isNull();
        assertThat(time.nanoTime()).isZero();
    }

    @Test
    void eachPartTakesTheTimeThatItIsSaidToTake() throws Exception {
        StepRuntime time = new StepRuntime();
        Rig r = new Rig(
                SimSettings.defaults()
                        .prepareNanos(1)
                        .launchNanos(20)
                        .kernelNanos(300)
                        .kernelNanos("fill", 4000)
                        .finalizeNanos(50_000),
                time);
        long x = r.floats("x", 1);
        PreparedRun a = r.prepared("A", "inc", Rig.on(Role.INOUT, x, 1), Rig.value(1));
        assertThat(time.nanoTime()).isEqualTo(1);
        a.launch(() -> {});
        assertThat(time.nanoTime()).isEqualTo(21);
        assertThat(a.await(0)).isEqualTo(Progress.RUNNING);
        assertThat(a.await(Long.MAX_VALUE)).isEqualTo(Progress.ENDED);
        assertThat(time.nanoTime()).isEqualTo(321);
        a.finalizeRun();
        assertThat(time.nanoTime()).isEqualTo(50_321);
        PreparedRun b = r.launched("B", "fill", Rig.on(Role.OUT, x, 1), Rig.value(1));
        assertThat(b.await(Long.MAX_VALUE)).isEqualTo(Progress.ENDED);
        assertThat(time.nanoTime()).isEqualTo(50_321 + 21 + 4000);
    }

    @Test
    void launchedBehindStartsWhenTheOneAheadEndsHoweverLateAThreadHearsOfIt() throws Exception {
        StepRuntime time = new StepRuntime();
        time.lateNanos = 7;
        Rig r = new Rig(SimSettings.defaults().kernelNanos(100), time);
        long x = r.floats("x", 1);
        PreparedRun a = r.launched("A", "inc", Rig.on(Role.INOUT, x, 1), Rig.value(1));
        PreparedRun b = r.launched("B", "inc", Rig.on(Role.INOUT, x, 1), Rig.value(1));
        assertThat(a.await(Long.MAX_VALUE)).isEqualTo(Progress.ENDED);
        assertThat(b.await(Long.MAX_VALUE)).isEqualTo(Progress.ENDED);
        assertThat(time.nanoTime()).as("B started at 100, not at 107").isEqualTo(207);
        PreparedRun c = r.launched("C", "inc", Rig.on(Role.INOUT, x, 1), Rig.value(1));
        assertThat(c.await(Long.MAX_VALUE)).isEqualTo(Progress.ENDED);
        assertThat(time.nanoTime()).as("C was launched at 207").isEqualTo(314);
    }

    @Test
    void effectsAreVisibleAtTheEndOnly() throws Exception {
        StepRuntime time = new StepRuntime();
        Rig r = new Rig(SimSettings.defaults().kernelNanos(100), time);
        long x = r.floats("x", 1);
        List<Float> seen = new ArrayList<>();
        PreparedRun a = r.launched("A", "inc", Rig.on(Role.INOUT, x, 1), Rig.value(1));
        seen.add(r.read(x, 1)[0]);
        a.await(Long.MAX_VALUE);
        seen.add(r.read(x, 1)[0]);
        assertThat(seen).containsExactly(1f, 2f);
        assertThat(r.control.violations())
                .containsExactly(
                        "read read at 0x" + Long.toHexString(x) + " reads what run A writes",
                        "read read at 0x" + Long.toHexString(x) + " reads what run A writes");
    }

    @Test
    void anIdleDeviceForksOncePerBusyPeriod() throws Exception {
        StepRuntime time = new StepRuntime();
        Rig r = new Rig(SimSettings.defaults(), time);
        long x = r.floats("x", 0);
        List<PreparedRun> runs = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            runs.add(r.launched("R" + i, "inc", Rig.on(Role.INOUT, x, 1), Rig.value(1)));
        }
        time.rest();
        assertThat(time.forks).isEqualTo(1);
        for (PreparedRun run : runs) {
            assertThat(run.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        }
        assertThat(r.read(x, 1)).containsExactly(10);
        assertThat(r.control.violations()).isEmpty();
    }

    @Test
    void aLingeringThreadServesLaterLaunches() throws Exception {
        AtomicInteger forks = new AtomicInteger();
        ThreadRuntime real = new ThreadRuntime();
        DeviceRuntime counting = new DeviceRuntime() {
            @Override
            public boolean await(BooleanSupplier condition, long limitNanos) {
                return real.await(condition, limitNanos);
            }

            @Override
            public void signal() {
                real.signal();
            }

            @Override
            public long nanoTime() {
                return real.nanoTime();
            }

            @Override
            public void fork(String name, Runnable body) {
                forks.incrementAndGet();
                real.fork(name, body);
            }
        };
        Rig r = new Rig(SimSettings.defaults().lingerNanos(Rig.LONG), counting);
        long x = r.floats("x", 0);
        for (int i = 0; i < 100; i++) {
            PreparedRun run = r.launched("R" + i, "inc", Rig.on(Role.INOUT, x, 1), Rig.value(1));
            assertThat(run.await(Rig.LONG)).isEqualTo(Progress.ENDED);
            assertThat(run.finalizeRun()).isEqualTo(Finalization.COMPLETED);
        }
        assertThat(forks).hasValue(1);
        assertThat(r.read(x, 1)).containsExactly(100);
        r.device.reset();
        x = r.floats("x", 0);
        PreparedRun run = r.launched("S", "inc", Rig.on(Role.INOUT, x, 1), Rig.value(1));
        assertThat(run.await(Rig.LONG)).isEqualTo(Progress.ENDED);
        assertThat(forks).hasValue(2);
        r.device.reset();
        assertThat(real.thrown).isEmpty();
    }

    @Test
    void theSameProgramGivesTheSameLogAndThousandsOfRunsLeaveNothing() throws Exception {
        assertThat(program(7)).isEqualTo(program(7));
        assertThat(program(8)).isNotEqualTo(program(7));
    }

    private static List<String> program(long seed) throws Exception {
        Random random = new Random(seed);
        StepRuntime time = new StepRuntime();
        Rig r = new Rig(SimSettings.defaults().kernelNanos(5), time);
        long x = r.floats("x", 0, 0, 0, 0);
        List<PreparedRun> launched = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            String name = "R" + i;
            if (random.nextInt(10) == 0) {
                r.control.fail(name, Point.EXECUTE, Fault.ERROR);
            }
            PreparedRun run = r.prepared(
                    name, "inc", Rig.on(Role.INOUT, x + 4L * random.nextInt(4), 1), Rig.value(random.nextInt(9)));
            if (random.nextInt(10) > 0) {
                run.launch(() -> {});
            }
            launched.add(run);
            while (launched.size() > random.nextInt(4)) {
                launched.remove(random.nextInt(launched.size())).finalizeRun();
            }
        }
        for (PreparedRun run : launched) {
            run.finalizeRun();
        }
        assertThat(r.control.violations()).isEmpty();
        assertThat(r.control.liveRuns()).isZero();
        assertThat(r.control.scratchBytes()).isZero();
        r.device.free("x", x);
        assertThat(r.control.liveAllocations()).isZero();
        assertThat(r.control.allocatedBytes()).isZero();
        return r.control.log();
    }
}
