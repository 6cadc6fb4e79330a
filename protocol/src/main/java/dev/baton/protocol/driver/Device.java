package dev.baton.protocol.driver;

import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.RunId;
import org.jspecify.annotations.Nullable;

/**
 * One opened device.
 *
 * <p>Memory calls ({@code allocate} to {@code copyHost}, {@code register}, {@code unregister}) come one at a time, in
 * order, from the I/O thread, or from a slot's thread for a build's own accesses and writes; they may block and may
 * overlap calls of runs. A memory call has happened when it returns. A late return (after Baton's limit) is ignored.
 */
public interface Device {
    /** What the device can do; constant; never blocks. */
    Capabilities capabilities();

    /** Makes the calling thread fit for calls; called once per thread if {@link Capabilities#threadAttach}. */
    default void attachThread() throws DriverException {}

    /**
     * Allocates memory that overlaps nothing allocated.
     *
     * @param label the client's name of the buffer, for logs
     * @param bytes at least 1
     * @return its address, a multiple of {@link Capabilities#alignment}
     * @throws OutOfDeviceMemoryException if it does not fit
     */
    long allocate(String label, long bytes) throws DriverException;

    /** Gives memory back; if it throws, the memory is quarantined and never freed again (L11). */
    void free(String label, long address) throws DriverException;

    /** Host to device. */
    void write(String label, long address, HostMemory from, long fromOffset, long bytes) throws DriverException;

    /** Device to host. */
    void read(String label, long address, HostMemory to, long toOffset, long bytes) throws DriverException;

    /** Device to device; the ranges do not overlap. */
    void copy(String label, long from, long to, long bytes) throws DriverException;

    /** Repeats {@code pattern} (little-endian bits of {@code patternBytes} bytes) {@code count} times. */
    void fill(String label, long address, long pattern, int patternBytes, long count) throws DriverException;

    /** Host to host, for adopted host buffers: a memory call like the others, so that all keep one order. */
    default void copyHost(String label, HostMemory from, long fromOffset, HostMemory to, long toOffset, long bytes)
            throws DriverException {
        HostMemory.copy(from, fromOffset, to, toOffset, bytes);
    }

    /**
     * The device's memory as host memory, if the host can see it; null if not, then builds read through copies. Never
     * blocks. The view is used only while the bytes are held.
     */
    default @Nullable HostMemory view(long address, long bytes) {
        return null;
    }

    /** Makes a callable known, compiling it if need be. May block. */
    void register(CallableSpec callable) throws DriverException;

    /** Forgets a callable; no live run uses it. May block. */
    void unregister(String callable) throws DriverException;

    /**
     * Begins one attempt to prepare a run; slot's thread; may block. An attempt that was begun ends by exactly one
     * successful {@link Preparation#prepare} or one {@link Preparation#abort}. If it throws, nothing was taken.
     */
    Preparation begin(RunPlan plan) throws DriverException;

    /**
     * Makes a wait that stands in a run's {@code await} return RUNNING now; a later wait is not affected, nor is
     * {@code finalizeRun}. Any thread; never blocks; harmless for a run that is not known.
     */
    void wake(RunId run);

    /**
     * Makes the wait of a run's {@code await} and {@code finalizeRun}, present and future, end without waiting further.
     * Any thread; never blocks; harmless for a run that is not known.
     */
    void interrupt(RunId run);

    /**
     * Ends everything: drops queued work, stops executing work, makes every call in progress end, and makes all
     * memory free again. On a thread of its own; may block; may overlap every other call. Proven means that nothing of the
     * epoch will ever touch memory again; afterwards the device is as if just opened, registered callables kept. Preparations and
     * runs made before fail every later call and touch nothing.
     */
    ResetOutcome reset();

    /** Destroys the device. Called once, only when nothing runs and nothing is leaked on it. May block. */
    void close() throws DriverException;
}
