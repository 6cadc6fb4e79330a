package dev.baton.sim;

import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.Driver;

/** Opens simulated devices. */
public final class SimDriver implements Driver {
    static final String NAME = "sim";
    static final String VERSION = "1";

    private final SimSettings settings;

    /** A driver whose devices are all made alike. */
    public SimDriver(SimSettings settings) {
        this.settings = settings;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public SimDevice open(DeviceRuntime runtime) {
        return new SimDevice(new SimCore(settings, runtime));
    }
}
