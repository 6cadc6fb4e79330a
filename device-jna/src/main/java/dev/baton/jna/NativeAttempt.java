package dev.baton.jna;

import com.sun.jna.ptr.LongByReference;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.Task;
import java.lang.ref.Reference;

/** A preparation on a native device. */
final class NativeAttempt implements Preparation {
    private final NativeDevice device;
    private final NativeCalls calls;
    private final RunHandle run;

    NativeAttempt(NativeDevice device, RunHandle run) {
        this.device = device;
        this.calls = device.calls;
        this.run = run;
    }

    @Override
    public void emit(Task task) throws DriverException {
        device.check(run);
        try {
            calls.check(calls.abi.baton_emit(calls.device, run.number(), new PlanLayout(run.memory).task(task)));
        } finally {
            Reference.reachabilityFence(run);
        }
    }

    @Override
    public long scratch(long bytes) throws DriverException {
        device.check(run);
        LongByReference address = new LongByReference();
        calls.check(calls.abi.baton_scratch(calls.device, run.number(), bytes, address));
        return address.getValue();
    }

    @Override
    public PreparedRun prepare() throws DriverException {
        device.check(run);
        try {
            calls.check(calls.abi.baton_prepare(calls.device, run.number()));
        } finally {
            Reference.reachabilityFence(run);
        }
        return new NativeRun(device, run);
    }

    @Override
    public void abort() throws DriverException {
        device.check(run);
        try {
            calls.check(calls.abi.baton_abort(calls.device, run.number()));
        } finally {
            Reference.reachabilityFence(run);
        }
        device.forget(run);
    }
}
