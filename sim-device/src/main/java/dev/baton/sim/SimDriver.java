package dev.baton.sim;

import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.Driver;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Opens simulated devices. */
public final class SimDriver implements Driver {
    static final String NAME = "sim";
    static final String VERSION = "1";

    private final SimSettings settings;
    private final Consumer<SimDevice> opened;
    private volatile @Nullable SimDevice last;

    /** A driver whose devices are all made alike. */
    public SimDriver(SimSettings settings) {
        this(settings, device -> {});
    }

    /**
     * A driver whose devices are all made alike.
     *
     * @param opened hears of each device right after it was opened, before its first call
     */
    public SimDriver(SimSettings settings, Consumer<SimDevice> opened) {
        this.settings = settings;
        this.opened = opened;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public SimDevice open(DeviceRuntime runtime) {
        SimDevice device = new SimDevice(new SimCore(settings, runtime));
        last = device;
        opened.accept(device);
        return device;
    }

    /**
     * The device opened last.
     *
     * @throws IllegalStateException if none was opened yet
     */
    public SimDevice device() {
        SimDevice device = last;
        if (device == null) {
            throw new IllegalStateException("no device was opened yet");
        }
        return device;
    }

    /** The control of the device opened last; as {@link #device}. */
    public SimControl control() {
        return device().control();
    }
}
