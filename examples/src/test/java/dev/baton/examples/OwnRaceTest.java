package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import dev.baton.sim.Point;
import dev.baton.testkit.junit.BatonDevice;
import dev.baton.testkit.junit.Gate;
import dev.baton.testkit.junit.TestDevice;
import dev.baton.testkit.junit.TestRun;

/** A user tests races of their own: for 50 seeds under the deterministic runtime, and ten times on real threads. */
class OwnRaceTest {
    /** One client frees a buffer while another submits a run that reads it: exactly one of them gets its way. */
    @BatonDevice(seeds = 50, threads = 10)
    void freeAgainstSubmit(TestDevice device) {
        BufferHandle x = device.floats("x", 1, 2);
        BufferHandle y = device.floats("y", 0, 0);
        Gate executing = device.gate("run", Point.EXECUTE).hold();
        Reply.FreeReply[] free = new Reply.FreeReply[1];
        TestRun[] run = new TestRun[1];
        device.race(
                () -> free[0] = device.free(x).get(), // each body is a client of its own
                () -> run[0] = device.addConst("run", x, y, 2, 10));
        if (free[0] instanceof Reply.Refused refused) { // the run was first and holds the buffer
            assertThat(refused.refusal().code()).isEqualTo(RefusalCode.IN_USE);
            executing.go();
            run[0].completed();
            assertThat(device.values(y, 2)).containsExactly(11, 12);
        } else { // the buffer was gone first, or is going
            assertThat(run[0].rejected().code()).isIn(RefusalCode.RELEASE_PENDING, RefusalCode.UNKNOWN_BUFFER);
        }
    }
}
