/** Host builds: user code that composes a run's tasks on the host while the run is prepared (DESIGN section 5). */
@org.jspecify.annotations.NullMarked
package dev.baton.protocol.build;
