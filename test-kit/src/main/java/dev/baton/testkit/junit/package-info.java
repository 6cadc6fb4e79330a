/**
 * Devices for a user's own tests: {@link dev.baton.testkit.junit.BatonDevice} gives a test a simulated device, under the
 * deterministic runtime for many seeds or on real threads, with holds, probes and a check that the device was not misused.
 */
@org.jspecify.annotations.NullMarked
package dev.baton.testkit.junit;
