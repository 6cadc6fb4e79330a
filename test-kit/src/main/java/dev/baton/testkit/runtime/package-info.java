/**
 * A deterministic runtime for any Pekko Typed system: one step at a time, seeded choice, virtual time, and a strict hand-off for
 * code that blocks. It knows nothing of Baton but the interface by which drivers and builds wait.
 */
@org.jspecify.annotations.NullMarked
package dev.baton.testkit.runtime;
