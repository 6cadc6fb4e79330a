package dev.baton.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.context.DeviceSettings;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import dev.baton.sim.Point;
import dev.baton.sim.SimSettings;
import dev.baton.testkit.runtime.DeterministicRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** B8: reading costs no message, however much is read, and whatever stands beside what is read. */
class QuietBuildTest {
    private static final int READS = 100_000;
    private static final int ELEMENTS = 1000;

    /** How many steps the actors took, and which. */
    private record Account(long steps, long hash, double sum) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aBuildOfManyReadsSendsNoMessage(long seed) {
        for (boolean beside : new boolean[] {false, true}) {
            Account none = account(seed, 0, beside);
            Account many = account(seed, READS, beside);
            assertThat(many.sum()).as("seed %s", seed).isEqualTo(READS);
            assertThat(none.sum()).isZero();
            // one message is at least one step of the actor that hears it
            assertThat(many.steps()).as("seed %s", seed).isEqualTo(none.steps());
            assertThat(many.hash()).as("seed %s", seed).isEqualTo(none.hash());
        }
    }

    /** @param beside whether a live run ahead declares other elements of the same argument */
    private static Account account(long seed, int reads, boolean beside) {
        DeterministicBench bench =
                new DeterministicBench(seed, SimSettings.defaults().memory(1 << 20), DeviceSettings.defaults());
        DeterministicRuntime runtime = (DeterministicRuntime) bench.runtime();
        TestDevice device = new TestDevice(bench, "seed " + seed);
        List<Double> sums = new ArrayList<>();
        device.register(new CallableSpec("reader", "copy", Signature.of(Role.IN, Role.OUT)), c -> {
                    double sum = 0;
                    for (int i = 0; i < reads; i++) {
                        sum += c.get(0, 1 + i % (ELEMENTS - 1));
                    }
                    sums.add(sum);
                    c.emitOwn(Map.of());
                })
                .get(Reply.Registered.class);
        float[] ones = new float[ELEMENTS];
        java.util.Arrays.fill(ones, 1);
        BufferHandle x = device.floats("x", ones);
        BufferHandle y =
                device.allocate("y", 4 * ELEMENTS).get(Reply.Allocated.class).buffer();
        BufferHandle one = device.floats("one", 1);
        if (beside) {
            device.gate("ahead", Point.EXECUTE).hold();
            device.addConst("ahead", one, x, 1, 1);
        }
        TestRun run = device.submit(RunRequest.of("reader")
                .tensor(TestDevice.f32(x, ELEMENTS))
                .tensor(TestDevice.f32(y, ELEMENTS))
                .build());
        device.rest();
        if (beside) {
            device.gate("ahead", Point.EXECUTE).go();
        }
        run.completed();
        device.rest();
        Account account = new Account(runtime.steps(), runtime.traceHash(), sums.get(0));
        assertThat(sums).hasSize(1);
        assertThat(bench.finish()).isEmpty();
        return account;
    }
}
