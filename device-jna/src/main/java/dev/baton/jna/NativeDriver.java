package dev.baton.jna;

import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.Driver;
import dev.baton.protocol.driver.DriverException;
import java.util.Objects;

/**
 * Opens devices of any shared library that exports {@code baton_device.h}; this module's jar carries the header as
 * {@code include/baton_device.h}. A library that does not load, lacks a symbol, has another version or declares capabilities that
 * can't be fails this device alone, with an error that names file and symbol (R42, R43).
 */
public final class NativeDriver implements Driver {
    private final String path;
    private final String options;

    /**
     * A driver for one library.
     *
     * @param path of the library's file, or a name that the system's loader finds
     * @param options handed to the library as they are; empty for none
     */
    public NativeDriver(String path, String options) {
        this.path = Objects.requireNonNull(path, "path");
        this.options = Objects.requireNonNull(options, "options");
    }

    /** A driver for one library, without options. */
    public NativeDriver(String path) {
        this(path, "");
    }

    @Override
    public String name() {
        return "native:" + path;
    }

    @Override
    public NativeDevice open(DeviceRuntime runtime) throws DriverException {
        if (!NativeDevice.supported()) {
            throw new DriverException(
                    "native devices need a little-endian JVM of 64 bits; this one can't open library " + path);
        }
        return new NativeDevice(NativeCalls.open(path, options), runtime);
    }
}
