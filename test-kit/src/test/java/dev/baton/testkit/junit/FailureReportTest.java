package dev.baton.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.sim.Point;
import dev.baton.testkit.Launched;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** What a person sees when a seed fails. */
@Isolated
class FailureReportTest {
    /** A test that is wrong in the way that races are: it holds for some orders only. */
    static class Wrong {
        @BatonDevice(seeds = 20, threads = 1)
        void alwaysFreed(TestDevice device) {
            BufferHandle x = device.floats("x", 1);
            BufferHandle y = device.floats("y", 0);
            if (device.toString().startsWith("threads")) {
                throw new AssertionError("on real threads");
            }
            device.race(
                    () -> assertThat(device.free(x).get().getClass().getSimpleName())
                            .isEqualTo("Released"),
                    () -> device.addConst("r", x, y, 1, 1));
        }
    }

    /** Nothing is asserted, but the device is misused behind Baton's back. */
    static class Misuse {
        @BatonDevice(seeds = 2)
        void writesUnderARun(TestDevice device) throws Exception {
            BufferHandle x = device.floats("x", 1);
            device.gate("r", Point.EXECUTE).hold();
            device.addConst("r", x, device.floats("y", 0), 1, 1).id();
            device.rest();
            long at = device.status().buffers().get(0).address();
            ((DeterministicBench) device.bench()).device().write("stray", at, HostMemory.allocate(4), 0, 4);
        }
    }

    @Test
    @ResourceLock(Resources.SYSTEM_PROPERTIES)
    void aFailureNamesItsSeedWhichFailsAgainAlone() {
        Map<String, String> failures = Launched.of(Wrong.class).failures();
        assertThat(failures).containsKey("threads, round 1").hasSizeBetween(2, 20);
        failures.remove("threads, round 1");
        Map.Entry<String, String> first = failures.entrySet().iterator().next();
        String seed = first.getKey().substring("seed ".length());
        assertThat(first.getValue())
                .startsWith(first.getKey() + " (replay with -Dtest=Wrong#alwaysFreed -Dbaton.seed=" + seed + "): ")
                .contains("Released", "last steps: ");
        System.setProperty(BatonExtension.SEED_PROPERTY, seed);
        try {
            Launched again = Launched.of(Wrong.class);
            assertThat(again.run()).isEqualTo(1);
            assertThat(again.failures()).containsExactly(first);
        } finally {
            System.clearProperty(BatonExtension.SEED_PROPERTY);
        }
    }

    @Test
    void misuseOfTheDeviceFailsTheTest() {
        assertThat(Launched.of(Misuse.class).failures())
                .hasSize(2)
                .allSatisfy((seed, message) ->
                        assertThat(message).contains("-Dbaton.seed=", "the device was misused", "stray"));
    }
}
