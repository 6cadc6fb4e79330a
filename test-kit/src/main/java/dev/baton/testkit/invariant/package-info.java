/** What must hold of a device at every rest, whatever was asked of it. */
@org.jspecify.annotations.NullMarked
package dev.baton.testkit.invariant;
