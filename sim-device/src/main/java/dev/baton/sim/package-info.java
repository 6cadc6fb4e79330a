/**
 * The simulated device of SCENARIOS.md: real bytes behind made-up addresses, one operator at a time, and a control by which
 * a test stops calls at named points, injects faults and reads the device's log.
 *
 * <p>Every wait, clock reading and thread goes through {@link dev.baton.protocol.driver.DeviceRuntime}.
 */
@org.jspecify.annotations.NullMarked
package dev.baton.sim;
