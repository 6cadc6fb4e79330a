package dev.baton.sim;

import dev.baton.protocol.driver.CompletionListener;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.Finalization;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.Progress;
import dev.baton.sim.Misbehaving.Call;
import dev.baton.sim.Misbehaving.Listener;

/** A prepared run of a {@link Misbehaving} device. */
@SuppressWarnings("NullAway") // returning null is what it is for
final class MisbehavingRun implements PreparedRun {
    private final Misbehaving device;
    private final PreparedRun inner;
    private volatile CompletionListener late = () -> {};

    MisbehavingRun(Misbehaving device, PreparedRun inner) {
        this.device = device;
        this.inner = inner;
    }

    @Override
    public void write(long address, HostMemory from, long bytes) throws DriverException {
        device.enter(Call.RUN_WRITE);
        inner.write(address, from, bytes);
    }

    @Override
    public void launch(CompletionListener listener) throws DriverException {
        device.enter(Call.LAUNCH);
        Listener how = device.listener;
        if (how == Listener.EARLY) {
            listener.ended();
        }
        if (how == Listener.LATE) {
            late = listener;
        }
        inner.launch(() -> {
            if (how != Listener.NEVER && how != Listener.LATE) {
                listener.ended();
            }
            if (how == Listener.TWICE) {
                listener.ended();
            }
        });
    }

    @Override
    public Progress await(long limitNanos) throws DriverException {
        device.enter(Call.AWAIT);
        return device.result(Call.AWAIT, inner.await(limitNanos));
    }

    @Override
    public Finalization finalizeRun() throws DriverException {
        device.enter(Call.FINALIZE);
        Finalization outcome = inner.finalizeRun();
        late.ended();
        return device.result(Call.FINALIZE, outcome);
    }
}
