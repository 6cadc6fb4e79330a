package dev.baton.sim;

import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.Task;
import dev.baton.sim.Misbehaving.Call;

/** A preparation of a {@link Misbehaving} device. */
@SuppressWarnings("NullAway") // returning null is what it is for
final class MisbehavingPreparation implements Preparation {
    private final Misbehaving device;
    private final Preparation inner;

    MisbehavingPreparation(Misbehaving device, Preparation inner) {
        this.device = device;
        this.inner = inner;
    }

    @Override
    public void emit(Task task) throws DriverException {
        device.enter(Call.EMIT);
        inner.emit(task);
    }

    @Override
    public long scratch(long bytes) throws DriverException {
        device.enter(Call.SCRATCH);
        return inner.scratch(bytes);
    }

    @Override
    public PreparedRun prepare() throws DriverException {
        device.enter(Call.PREPARE);
        return device.result(Call.PREPARE, new MisbehavingRun(device, inner.prepare()));
    }

    @Override
    public void abort() throws DriverException {
        device.enter(Call.ABORT);
        inner.abort();
    }
}
