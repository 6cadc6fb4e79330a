package dev.baton.protocol.driver;

/** A kind of device. Opening it twice gives two independent devices. */
public interface Driver {
    /** The driver's name, shown to people. */
    String name();

    /**
     * Opens the device. May block; called once per device, before any other call.
     *
     * @param runtime every wait, clock reading and thread of the driver goes through it
     * @throws DriverException with a sentence that names what is missing
     */
    Device open(DeviceRuntime runtime) throws DriverException;
}
