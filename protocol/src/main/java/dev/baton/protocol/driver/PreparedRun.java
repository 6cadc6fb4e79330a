package dev.baton.protocol.driver;

/** A prepared run; all calls on its slot's thread. It is finalized exactly once. */
public interface PreparedRun {
    /**
     * Writes bytes that the run's build recorded into device memory that the run names; called right before launch, not at all
     * if there are none (B10). Has happened when it returns. A run of an ended epoch refuses it.
     */
    void write(long address, HostMemory from, long bytes) throws DriverException;

    /**
     * Gives the run to the device, behind all that was launched before. Must not wait for the device.
     *
     * @param listener may be called once the run has ended, from any thread, also inside this call; a hint only
     */
    void launch(CompletionListener listener) throws DriverException;

    /**
     * Waits until the launched run has ended on the device, in a bounded step.
     *
     * @param limitNanos longest wait; zero only asks
     * @throws DriverException if asking failed: then nobody knows
     */
    Progress await(long limitNanos) throws DriverException;

    /**
     * Ends the driver's part of the run: takes it off the device if it has not started, drains it (waits for its end) if it
     * executes, unless interrupted, gives back what it took, and, if it completed, has written the outputs of its host arguments
     * into their staging. A throw means unproven.
     */
    Finalization finalizeRun() throws DriverException;
}
