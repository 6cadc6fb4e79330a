package dev.baton.testkit.conformance;

import dev.baton.protocol.driver.Device;

/**
 * What a driver's author can do to a device under test: stop it and make it fail. Runs are named by
 * {@link dev.baton.protocol.driver.RunPlan#name}, before they begin. Points that are not supported leave their tests out.
 */
public interface DriverFaults {
    /** What can be made to fail. */
    enum FailPoint {
        /** {@code prepare} throws. */
        PREPARE,
        /** An early {@code prepare} throws an IncompatibleException. */
        INCOMPATIBLE,
        /** {@code abort} throws. */
        ABORT,
        /** {@code launch} throws, and the run did not reach the device. */
        LAUNCH,
        /** The run's work fails on the device. */
        EXECUTE,
        /** {@code await} throws once the run has ended. */
        ASK,
        /** {@code finalizeRun} can't prove that the device is finished. */
        FINALIZE
    }

    /** Memory calls that can be made to fail. */
    enum MemoryCall {
        ALLOCATE,
        FREE,
        READ,
        WRITE
    }

    /** Whether {@link #hold} and {@link #go} work: the tests of waiting and of concurrency need them. */
    boolean holds();

    /** The run will stand on the device, executing, until {@link #go}. */
    void hold(Device device, String run);

    /** Lets a run's execution go on. */
    void go(Device device, String run);

    /** Whether runs can be made to fail there. */
    boolean supports(FailPoint point);

    /** The run will fail at that point. */
    void fail(Device device, String run, FailPoint point);

    /** Whether the next call of that kind can be made to fail. */
    default boolean supports(MemoryCall call) {
        return false;
    }

    /** The next call of that kind will fail. */
    default void failNext(Device device, MemoryCall call) {
        throw new UnsupportedOperationException(call.name());
    }
}
