package dev.baton.sim;

/** Watches a simulated device. Called outside the device's turn, from the thread that did it; must be quick. */
public interface SimObserver {
    /** The device began to execute a run. */
    default void started(String run) {}

    /** The device ended executing a run. */
    default void ended(String run, boolean ok) {}

    /** Memory was allocated (scratch and foreign memory too). */
    default void allocated(long address, long bytes) {}

    /** Memory was freed. */
    default void freed(long address) {}
}
