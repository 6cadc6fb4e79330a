package dev.baton.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.protocol.Role;
import dev.baton.protocol.driver.CallAborted;
import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.OutOfDeviceMemoryException;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.Progress;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SimMemoryTest {
    @Test
    void theAddressSpaceAgreesWithAModel() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            AddressSpace space = new AddressSpace(0x10000, 8192, 64, 0);
            Map<Long, Long> model = new TreeMap<>();
            for (int step = 0; step < 500; step++) {
                if (random.nextInt(5) < 3) {
                    long bytes = 1L + random.nextInt(random.nextInt(10) == 0 ? 4096 : 400);
                    long expected = firstFit(model, bytes);
                    assertThat(space.take(bytes))
                            .as("seed %d step %d", seed, step)
                            .isEqualTo(expected);
                    if (expected >= 0) {
                        model.put(expected, (bytes + 63) / 64 * 64);
                    }
                } else if (!model.isEmpty()) {
                    long[] all =
                            model.keySet().stream().mapToLong(Long::longValue).toArray();
                    long gone = all[random.nextInt(all.length)];
                    model.remove(gone);
                    space.give(gone);
                }
            }
            model.keySet().forEach(space::give);
            assertThat(space.largest()).isEqualTo(8192);
        }
    }

    private static long firstFit(Map<Long, Long> model, long bytes) {
        long at = 0x10000;
        for (Map.Entry<Long, Long> e : model.entrySet()) {
            if (e.getKey() - at >= bytes) {
                return at;
            }
            at = e.getKey() + e.getValue();
        }
        return 0x10000 + 8192 - at >= bytes ? at : -1;
    }

    @Test
    void freedMemoryIsOverwritten() throws Exception {
        Rig r = new Rig();
        long a = r.floats("a", 1, 2);
        HostMemory view = Objects.requireNonNull(r.device.view(a + 4, 4));
        assertThat(view.single().getFloat(0)).isEqualTo(2);
        r.device.free("a", a);
        assertThat(view.single().getInt(0)).isEqualTo(0xDBDBDBDB);
        assertThat(r.device.view(a, 4)).isNull();
        assertThat(r.device.allocate("b", 4)).isEqualTo(a);
        assertThat(Float.floatToRawIntBits(r.read(a, 1)[0])).isEqualTo(0xDBDBDBDB);
        assertThat(r.control.liveAllocations()).isEqualTo(1);
        assertThat(r.control.allocatedBytes()).isEqualTo(4);
    }

    @Test
    void bigSettingsCostNothingAndSmallOnesRunOut() throws Exception {
        Rig big = new Rig(SimSettings.defaults().memory(16L << 30));
        big.device.free("a", big.device.allocate("a", 100));
        Rig small = new Rig(SimSettings.defaults().memory(128));
        small.device.allocate("a", 65);
        assertThatThrownBy(() -> small.device.allocate("b", 1)).isInstanceOf(OutOfDeviceMemoryException.class);
    }

    @Test
    void memoryCallsMoveBytes() throws Exception {
        Rig r = new Rig();
        long a = r.floats("a", 1, 2, 3, 4);
        r.device.copy("c", a, a + 8, 8);
        assertThat(r.read(a, 4)).containsExactly(1, 2, 1, 2);
        r.device.fill("f", a + 4, Float.floatToRawIntBits(9), 4, 2);
        assertThat(r.read(a, 4)).containsExactly(1, 9, 9, 2);
        HostMemory to = HostMemory.allocate(8);
        r.device.copyHost("h", Rig.memory(5, 6), 0, to, 0, 8);
        assertThat(Rig.values(to)).containsExactly(5, 6);
        assertThat(r.control.violations()).isEmpty();
        assertThatThrownBy(() -> r.read(a + 8, 4)).hasMessageContaining("not allocated");
        assertThatThrownBy(() -> r.device.free("x", a + 8)).hasMessageContaining("not allocated");
        assertThat(r.control.violations()).hasSize(2);
    }

    @Test
    void callsHoldOnceAndFailAsOften() throws Exception {
        Rig r = new Rig();
        r.control.holdCall("a");
        CompletableFuture<Long> f = r.async(() -> r.device.allocate("a", 4));
        r.untilHeld("a", "call");
        assertThat(r.control.liveAllocations()).isZero();
        r.control.goCall("a");
        long a = f.get();
        r.control.holdCall("a");
        r.control.goCall("a");
        r.device.write("a", a, Rig.memory(1), 0, 4);
        r.control.faultNext(CallKind.FREE, 1);
        assertThatThrownBy(() -> r.device.free("a", a)).isInstanceOf(DriverException.class);
        r.device.free("a", a);
        r.control.faultNext(CallKind.WRITE, 2);
        assertThatThrownBy(() -> r.device.fill("a", a, 0, 4, 1)).hasMessageContaining("simulated");
        assertThatThrownBy(() -> r.device.copy("a", a, a, 1)).hasMessageContaining("simulated");
    }

    @Test
    void buildPointsHold() throws Exception {
        Rig r = new Rig();
        r.control.hold("A", "mine");
        CompletableFuture<Boolean> f = r.async(() -> {
            r.control.pass("A", "other");
            r.control.pass("A", "mine");
            return true;
        });
        r.untilHeld("A", "mine");
        r.control.go("A", "mine");
        assertThat(f.get()).isTrue();
        assertThat(Point.of("execute")).isEqualTo(Point.EXECUTE);
        assertThatThrownBy(() -> Point.of("Execute")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void breachesOfTheCallersDutyAreWrittenDown() throws Exception {
        Rig r = new Rig(SimSettings.defaults().joinedLaunch(false).concurrentPrepare(false));
        long x = r.floats("x", 1, 2);
        r.control.hold("A", Point.EXECUTE);
        PreparedRun a = r.launched("A", "inc", Rig.on(Role.INOUT, x, 1), Rig.value(1));
        r.device.write("w", x + 4, Rig.memory(3), 0, 4);
        assertThat(r.control.violations()).isEmpty();
        r.device.write("w", x, Rig.memory(3), 0, 4);
        r.read(x, 1);
        r.device.free("x", x);
        assertThat(r.control.violations()).hasSize(3);
        PreparedRun b = r.launched("B", "fill", Rig.staged(Role.OUT, Rig.memory(0)), Rig.value(1));
        assertThat(r.control.violations()).hasSize(5);
        r.control.go("A", Point.EXECUTE);
        assertThat(a.await(Rig.LONG).cause()).contains("not allocated");
        assertThat(b.await(Rig.LONG)).isEqualTo(Progress.ENDED);
        assertThatThrownBy(() -> b.launch(() -> {})).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aRunsOwnWriteLandsAndIsRefusedAfterReset() throws Exception {
        Rig r = new Rig();
        long x = r.floats("x", 1);
        PreparedRun a = r.prepared("A", "inc", Rig.on(Role.INOUT, x, 1), Rig.value(1));
        a.write(x, Rig.memory(41), 4);
        a.launch(() -> {});
        assertThat(a.await(Rig.LONG)).isEqualTo(Progress.ENDED);
        a.finalizeRun();
        assertThat(r.read(x, 1)).containsExactly(42);
        PreparedRun b = r.prepared("B", "inc", Rig.on(Role.INOUT, x, 1), Rig.value(1));
        r.device.reset();
        assertThatThrownBy(() -> b.write(x, Rig.memory(1), 4)).hasMessageContaining("reset");
        assertThat(r.control.violations()).isEmpty();
    }

    @Test
    void threadsMustBeAttachedWhereAsked() throws Exception {
        Rig r = new Rig(SimSettings.defaults().threadAttach(true));
        assertThatThrownBy(() -> r.device.allocate("a", 4)).hasMessageContaining("not attached");
        r.device.attachThread();
        r.device.allocate("a", 4);
        r.device.close();
        assertThatThrownBy(() -> r.device.allocate("a", 4)).hasMessageContaining("closed");
    }

    @Test
    void nonBlockingTellsByTheListener() throws Exception {
        Rig r = new Rig(SimSettings.defaults().nonBlocking(true).kernelNanos(1_000_000));
        AtomicInteger told = new AtomicInteger();
        PreparedRun a = r.prepared("A", "fill", Rig.staged(Role.OUT, Rig.memory(0)), Rig.value(1));
        a.launch(told::incrementAndGet);
        r.until(() -> told.get() == 1);
        assertThat(a.await(Long.MAX_VALUE)).isEqualTo(Progress.ENDED);
    }

    @Test
    void anAbortedWaitPasses() throws Exception {
        ThreadRuntime real = new ThreadRuntime();
        DeviceRuntime dying = new DeviceRuntime() {
            @Override
            public boolean await(BooleanSupplier condition, long limitNanos) {
                throw new CallAborted("die");
            }

            @Override
            public void signal() {}

            @Override
            public long nanoTime() {
                return 0;
            }

            @Override
            public void fork(String name, Runnable body) {
                real.fork(name, body);
            }
        };
        SimDevice device = new SimDriver(SimSettings.defaults()).open(dying);
        device.control().holdCall("a");
        assertThatThrownBy(() -> device.allocate("a", 4)).isInstanceOf(CallAborted.class);
        assertThat(device.control().held()).isEmpty();
    }

    @Test
    void cancelsBehindFailureDropsTheQueue() throws Exception {
        Rig r = new Rig(SimSettings.defaults().cancelsBehindFailure(true));
        r.control.fail("A", Point.EXECUTE, Fault.ERROR);
        r.control.hold("A", Point.EXECUTE);
        r.launched("A", "fill", Rig.staged(Role.OUT, Rig.memory(0)), Rig.value(1));
        PreparedRun b = r.launched("B", "fill", Rig.staged(Role.OUT, Rig.memory(0)), Rig.value(1));
        r.control.go("A", Point.EXECUTE);
        assertThat(b.await(Rig.LONG).cause()).contains("dropped", "A");
        assertThat(r.control.log()).doesNotContain("start B");
    }

    @Test
    void misbehavingBreaksWhatItIsToldTo() throws Exception {
        Rig r = new Rig();
        Misbehaving bad = new Misbehaving(r.device).overlappingAllocations().listener(Misbehaving.Listener.EARLY);
        assertThat(bad.allocate("a", 4)).isEqualTo(bad.allocate("b", 4));
        AtomicInteger told = new AtomicInteger();
        PreparedRun run = bad.begin(r.plan("A", "fill", false)).prepare();
        run.launch(told::incrementAndGet);
        r.until(() -> told.get() == 2);
        bad.throwIn(Misbehaving.Call.FINALIZE, new AssertionError("bad"));
        assertThatThrownBy(run::finalizeRun).isInstanceOf(AssertionError.class);
        bad.behave();
        bad.returnNull(Misbehaving.Call.FINALIZE);
        assertThat(run.finalizeRun()).isNull();
    }

    @Test
    void manyThreadsKeepTheDeviceInOrder() throws Exception {
        Rig r = new Rig();
        long x = r.floats("x", 0);
        CompletableFuture<?>[] noise = new CompletableFuture<?>[4];
        for (int t = 0; t < noise.length; t++) {
            String label = "n" + t;
            noise[t] = r.async(() -> {
                for (int i = 0; i < 500; i++) {
                    long a = r.floats(label, i, i);
                    assertThat(r.read(a, 2)).containsExactly(i, i);
                    r.device.free(label, a);
                }
                return true;
            });
        }
        PreparedRun before = null;
        for (int i = 0; i < 300; i++) {
            PreparedRun run = r.launched("R" + i, "inc", Rig.on(Role.INOUT, x, 1), Rig.value(1));
            if (before != null) {
                assertThat(before.await(Rig.LONG)).isEqualTo(Progress.ENDED);
                before.finalizeRun();
            }
            before = run;
        }
        Objects.requireNonNull(before).await(Rig.LONG);
        before.finalizeRun();
        CompletableFuture.allOf(noise).get();
        assertThat(r.read(x, 1)).containsExactly(300);
        assertThat(r.control.violations()).isEmpty();
        assertThat(r.control.liveAllocations()).isEqualTo(1);
        assertThat(r.runtime.thrown).isEmpty();
    }
}
