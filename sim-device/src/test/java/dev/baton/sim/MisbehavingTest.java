package dev.baton.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.PreparedRun;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MisbehavingTest {
    private final StepRuntime time = new StepRuntime();

    @ParameterizedTest
    @CsvSource({"ONCE, 0, 1, 1", "TWICE, 0, 2, 2", "NEVER, 0, 0, 0", "EARLY, 1, 2, 2", "LATE, 0, 0, 1"})
    void theListenerIsToldAsOrdered(Misbehaving.Listener how, int inLaunch, int atEnd, int atLast) throws Exception {
        Rig r = new Rig(SimSettings.defaults(), time);
        Misbehaving bad = new Misbehaving(r.device).listener(how);
        AtomicInteger told = new AtomicInteger();
        PreparedRun run = bad.begin(r.plan("A", "fill", false)).prepare();
        run.launch(told::incrementAndGet);
        assertThat(told).hasValue(inLaunch);
        time.rest();
        assertThat(told).hasValue(atEnd);
        run.finalizeRun();
        assertThat(told).hasValue(atLast);
    }

    @Test
    void driversOpenDevicesThatTestsCanReach() throws Exception {
        SimDriver sim = new SimDriver(SimSettings.defaults());
        assertThatThrownBy(sim::device).isInstanceOf(IllegalStateException.class);
        List<Misbehaving> opened = new ArrayList<>();
        Device device = Misbehaving.driver(sim, opened::add).open(time);
        assertThat(opened).containsExactly((Misbehaving) device);
        opened.get(0).throwIn(Misbehaving.Call.FREE, new StackOverflowError("deep"));
        long x = device.allocate("x", 4);
        assertThatThrownBy(() -> device.free("x", x)).isInstanceOf(StackOverflowError.class);
        assertThat(sim.control().liveAllocations()).isEqualTo(1);
        List<SimDevice> seen = new ArrayList<>();
        assertThat(new SimDriver(SimSettings.defaults(), seen::add).open(time)).isSameAs(seen.get(0));
    }
}
