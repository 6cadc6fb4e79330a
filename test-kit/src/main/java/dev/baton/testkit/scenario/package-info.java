/** Scripted races and failures: the scenario format, its runner, and what is compared (docs/scenarios.md). */
@org.jspecify.annotations.NullMarked
package dev.baton.testkit.scenario;
