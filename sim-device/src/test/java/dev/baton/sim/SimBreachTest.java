package dev.baton.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunId;
import dev.baton.protocol.Signature;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.PlannedArgument;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.RunPlan;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the device notices that its caller must not do. */
class SimBreachTest {
    private final StepRuntime time = new StepRuntime();

    private Rig rig(SimSettings settings) {
        return new Rig(settings, time);
    }

    private Rig rig() {
        return rig(SimSettings.defaults());
    }

    private static PlannedArgument out(long address) {
        return Rig.on(Role.OUT, address, 1);
    }

    private static RunPlan exclusive(RunPlan p) {
        return new RunPlan(p.run(), p.name(), p.callable(), p.attempt(), p.arguments(), true, p.early());
    }

    @Test
    void preparingBesideAnotherRun() throws Exception {
        Rig r = rig();
        long x = r.floats("x", 1);
        r.begin(r.plan("A", "fill", false, out(x), Rig.value(1)));
        r.begin(r.plan("B", "fill", true, out(x), Rig.value(1)));
        assertThat(r.control.violations()).isEmpty();
        r.begin(r.plan("C", "fill", false, out(x), Rig.value(1)));
        assertThat(r.control.violations()).hasSize(2).allMatch(v -> v.contains("not said to be early"));
    }

    @Test
    void preparingBesideAnExclusiveRun() throws Exception {
        Rig r = rig();
        long x = r.floats("x", 1);
        r.begin(exclusive(r.plan("A", "fill", false, out(x), Rig.value(1))));
        r.begin(r.plan("B", "fill", true, out(x), Rig.value(1)));
        assertThat(r.control.violations())
                .containsExactly("preparation of B began beside run A, but one of them is exclusive");
    }

    @Test
    void preparingBesideARunOnForeignMemory() throws Exception {
        Rig r = rig();
        long x = r.floats("x", 1);
        long f = r.control.allocateForeign(4);
        assertThat(r.control.foreignBytes()).isEqualTo(4);
        Preparation a = r.begin(r.plan("A", "fill", false, out(f), Rig.value(1)));
        r.begin(r.plan("B", "fill", true, out(x), Rig.value(1)));
        assertThat(r.control.violations())
                .containsExactly("preparation of B began beside run A, but one of them names memory that is not "
                        + "allocated here");
        a.abort();
    }

    @Test
    void preparingDeeperThanTheDeviceIs() throws Exception {
        Rig r = rig(SimSettings.defaults().maxDepth(2));
        for (int i = 0; i < 3; i++) {
            r.begin(r.plan("R" + i, "fill", i > 0, Rig.staged(Role.OUT, Rig.memory(1)), Rig.value(1)));
        }
        assertThat(r.control.violations()).singleElement().asString().contains("maxDepth=2");
    }

    @Test
    void preparingARunTwiceAndOneThatIsNotRegistered() throws Exception {
        Rig r = rig();
        RunPlan a = r.plan("A", "fill", true);
        r.device.begin(a);
        r.device.begin(a);
        assertThat(r.control.violations()).containsExactly("preparation of A began while an attempt of it is live");
        Rig s = rig();
        CallableSpec ghost = new CallableSpec("ghost", "fill", new Signature(List.of()));
        s.device.begin(new RunPlan(new RunId("d", 0, 1), "G", ghost, 1, List.of(), false, false));
        assertThat(s.control.violations())
                .containsExactly("preparation of G began though its callable ghost is not registered");
    }

    @Test
    void unregisteringWhatIsInUse() throws Exception {
        Rig r = rig();
        Preparation p = r.device.begin(r.plan("A", "fill", false));
        r.device.unregister("fill");
        assertThat(r.control.violations()).containsExactly("unregister fill while run A uses it");
        p.abort();
        assertThatThrownBy(() -> r.device.unregister("fill")).isInstanceOf(DriverException.class);
        assertThatThrownBy(() -> r.device.register(new CallableSpec("c", "nope", new Signature(List.of()))))
                .hasMessageContaining("unknown kernel nope; known are accumulate, add,");
    }

    @Test
    void freeingMemoryOfARunAsLongAsItIsNotFinalized() throws Exception {
        Rig r = rig();
        long x = r.device.allocate("x", 64);
        PreparedRun a = r.launched("A", "fill", Rig.on(Role.OUT, x + 16, 2), Rig.value(1));
        a.await(0);
        time.rest();
        r.control.faultNext(CallKind.FREE, 1);
        assertThatThrownBy(() -> r.device.free("x", x)).isInstanceOf(DriverException.class);
        assertThat(r.control.violations()).hasSize(1);
        a.finalizeRun();
        r.device.free("x", x);
        assertThat(r.control.violations()).hasSize(2).last().asString().contains("tried again after it had failed");
    }

    @Test
    void usingQuarantinedMemory() throws Exception {
        Rig r = rig();
        long x = r.floats("x", 1);
        r.control.faultNext(CallKind.FREE, 1);
        assertThatThrownBy(() -> r.device.free("x", x)).isInstanceOf(DriverException.class);
        r.read(x, 1);
        r.device.begin(r.plan("A", "fill", false, out(x), Rig.value(1)));
        assertThat(r.control.violations()).hasSize(2).allMatch(v -> v.contains("free has failed"));
    }

    @Test
    void touchingMemoryOfARunThatEndedUnproven() throws Exception {
        Rig r = rig();
        long x = r.floats("x", 1);
        long y = r.floats("y", 1);
        r.control.fail("A", Point.FINALIZE, Fault.ERROR);
        PreparedRun a = r.launched("A", "copy", Rig.on(Role.IN, x, 1), out(y));
        time.rest();
        a.finalizeRun();
        assertThat(r.control.liveRuns()).isEqualTo(1);
        r.read(x, 1);
        assertThat(r.control.violations()).isEmpty();
        r.read(y, 1);
        r.device.write("w", x, Rig.memory(1), 0, 4);
        r.device.copy("c", y, x, 4);
        r.device.free("x", x);
        assertThat(r.control.violations()).hasSize(5);
        r.device.close();
        assertThat(r.control.violations()).hasSize(6).last().asString().contains("closed while run A");
    }

    @Test
    void aRunsOwnWriteMustBeNamedAndFree() throws Exception {
        Rig r = rig();
        long x = r.floats("x", 1, 2, 3, 4);
        r.control.hold("A", Point.EXECUTE);
        PreparedRun a = r.launched("A", "inc", Rig.on(Role.INOUT, x, 1), Rig.value(1));
        PreparedRun b = r.prepared("B", "copy", Rig.on(Role.INOUT, x + 4, 1), Rig.on(Role.OUT, x + 8, 1));
        b.write(x + 4, Rig.memory(7, 8), 8);
        assertThat(r.control.violations()).isEmpty();
        b.write(x, Rig.memory(7), 4);
        assertThat(r.control.violations())
                .containsExactly(
                        "run B writes at 0x" + Long.toHexString(x) + ", which it does not name as written",
                        "run B writes at 0x" + Long.toHexString(x) + " under run A");
        b.finalizeRun();
        PreparedRun c = r.prepared("C", "copy", Rig.on(Role.IN, x + 4, 1), Rig.on(Role.OUT, x + 8, 1));
        c.write(x + 4, Rig.memory(7, 8), 8);
        assertThat(r.control.violations()).hasSize(3);
        r.control.go("A", Point.EXECUTE);
        assertThat(a.finalizeRun().cause()).isNull();
    }

    @Test
    void finalizingTwiceLaunchingTwiceAndUsingAnOldPreparation() throws Exception {
        Rig r = rig();
        Preparation p = r.begin(r.plan("A", "fill", false, Rig.staged(Role.OUT, Rig.memory(1)), Rig.value(1)));
        PreparedRun a = p.prepare();
        assertThatThrownBy(p::prepare).isInstanceOf(DriverException.class);
        assertThatThrownBy(p::abort).isInstanceOf(DriverException.class);
        a.launch(() -> {});
        assertThatThrownBy(() -> a.launch(() -> {})).isInstanceOf(IllegalStateException.class);
        a.finalizeRun();
        assertThatThrownBy(a::finalizeRun).isInstanceOf(IllegalStateException.class);
        assertThat(r.control.violations()).hasSize(4);
    }

    @Test
    void resetWithoutProofChangesNothing() throws Exception {
        Rig r = rig(SimSettings.defaults().resetProof(false));
        long x = r.floats("x", 3);
        PreparedRun a = r.prepared("A", "fill", Rig.staged(Role.OUT, Rig.memory(1)), Rig.value(1));
        assertThat(r.device.reset().proven()).isFalse();
        assertThat(r.read(x, 1)).containsExactly(3);
        a.launch(() -> {});
        assertThat(r.control.liveAllocations()).isEqualTo(1);
    }
}
