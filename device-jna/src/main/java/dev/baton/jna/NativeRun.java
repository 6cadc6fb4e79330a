package dev.baton.jna;

import com.sun.jna.ptr.IntByReference;
import dev.baton.protocol.driver.CompletionListener;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.Finalization;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.Progress;
import java.lang.ref.Reference;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A prepared run on a native device. It is asked as well as listened to: a library may call back early, late or, for a failed run, not at
 * all.
 */
final class NativeRun implements PreparedRun {
    /** So long a library's own wait lasts at most, where it tells nobody of ends: wakes and interrupts are seen in between. */
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** So often a run is asked whatever the library has told. */
    private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final NativeDevice device;
    private final NativeCalls calls;
    private final RunHandle run;

    NativeRun(NativeDevice device, RunHandle run) {
        this.device = device;
        this.calls = device.calls;
        this.run = run;
    }

    @Override
    public void write(long address, HostMemory from, long bytes) throws DriverException {
        device.check(run);
        device.inSegments(
                from,
                0,
                bytes,
                (at, done, part) -> calls.abi.baton_run_write(calls.device, run.number(), address + done, at, part));
    }

    @Override
    public void launch(CompletionListener listener) throws DriverException {
        device.check(run);
        run.listener(listener);
        try {
            calls.check(calls.abi.baton_launch(calls.device, run.number()));
        } finally {
            Reference.reachabilityFence(run);
        }
    }

    @Override
    public Progress await(long limitNanos) throws DriverException {
        device.check(run);
        int seen = run.wakes.get();
        BooleanSupplier stop = () -> run.interrupted() || run.wakes.get() != seen || device.stale(run);
        long start = device.runtime.nanoTime();
        while (true) {
            Progress progress = ask();
            long left = limitNanos - (device.runtime.nanoTime() - start);
            if (progress.state() != Progress.State.RUNNING
                    || limitNanos <= 0
                    || left <= 0
                    || calls.capabilities.nonBlocking()
                    || stop.getAsBoolean()) {
                device.check(run);
                return progress;
            }
            stand(stop, left);
        }
    }

    private Progress ask() throws DriverException {
        IntByReference state = new IntByReference();
        calls.check(calls.abi.baton_poll(calls.device, run.number(), state));
        return switch (state.getValue()) {
            case BatonAbi.RUNNING -> Progress.RUNNING;
            case BatonAbi.ENDED -> Progress.ENDED;
            default -> Progress.failed(calls.sentence());
        };
    }

    /** Waits a bounded step for the run's end. */
    private void stand(BooleanSupplier stop, long left) throws DriverException {
        if (calls.hears()) {
            boolean asked = run.rung(); // told, and still running: then only time helps
            device.runtime.await(
                    () -> stop.getAsBoolean() || (!asked && run.rung()),
                    Math.min(left, asked ? STEP_NANOS : ASK_NANOS));
        } else {
            calls.check(
                    calls.abi.baton_wait(calls.device, run.number(), Math.min(left, STEP_NANOS), new IntByReference()));
        }
    }

    @Override
    public Finalization finalizeRun() throws DriverException {
        BooleanSupplier stop = () -> run.interrupted() || device.stale(run);
        while (true) {
            device.check(run);
            IntByReference outcome = new IntByReference(-1);
            long wait = calls.hears() || stop.getAsBoolean() ? 0 : STEP_NANOS;
            try {
                calls.check(calls.abi.baton_finalize(calls.device, run.number(), wait, outcome));
            } finally {
                Reference.reachabilityFence(run);
            }
            if (outcome.getValue() != BatonAbi.STILL_EXECUTING) {
                return ended(outcome.getValue());
            }
            if (run.interrupted() || calls.capabilities.nonBlocking()) {
                return Finalization.unproven(run.name() + " is still executing");
            }
            if (calls.hears()) {
                stand(stop, ASK_NANOS);
            }
        }
    }

    /** What it took is held on where the end is not proven. */
    private Finalization ended(int outcome) {
        return switch (outcome) {
            case BatonAbi.COMPLETED -> {
                device.forget(run);
                yield Finalization.COMPLETED;
            }
            case BatonAbi.FAILED_BUT_DRAINED -> {
                String why = calls.sentence();
                device.forget(run);
                yield Finalization.drained(why);
            }
            default -> Finalization.unproven(calls.sentence());
        };
    }
}
