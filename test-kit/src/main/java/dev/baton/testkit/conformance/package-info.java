/**
 * The driver SPI's contract as tests: a driver author extends {@link dev.baton.testkit.conformance.DriverConformance} and runs
 * it with JUnit.
 */
@org.jspecify.annotations.NullMarked
package dev.baton.testkit.conformance;
