package dev.baton.protocol.driver;

/** One attempt to prepare a run. All calls on the slot's thread, but {@code emit} and {@code scratch} on any of the build's. */
public interface Preparation {
    /** Adds one task; the driver checks it against what it knows of the kernel. Never blocks for long. */
    void emit(Task task) throws DriverException;

    /** Takes scratch memory owned by the run, given back by finalize or abort. */
    long scratch(long bytes) throws DriverException;

    /**
     * Makes the run ready to launch. May block. Host arguments' staging is read here.
     *
     * @throws IncompatibleException if it can't be prepared beside the live runs (then {@link #abort} follows)
     * @throws DriverException if it can't be prepared (then {@link #abort} follows)
     */
    PreparedRun prepare() throws DriverException;

    /** Gives back what the attempt took. If it throws, the run has ended unproven (B7). May block. */
    void abort() throws DriverException;
}
