package dev.baton.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What happens on a device, for those who watch. Times are in nanoseconds of the device's runtime clock. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
@JsonSubTypes({
    @JsonSubTypes.Type(value = DeviceEvent.Phase.class, name = "phase"),
    @JsonSubTypes.Type(value = DeviceEvent.RunEnded.class, name = "runEnded"),
    @JsonSubTypes.Type(value = DeviceEvent.HealthChanged.class, name = "healthChanged"),
    @JsonSubTypes.Type(value = DeviceEvent.Poisoned.class, name = "poisoned"),
    @JsonSubTypes.Type(value = DeviceEvent.FreeRefused.class, name = "freeRefused")
})
public sealed interface DeviceEvent {
    /**
     * A run came to a phase.
     *
     * @param detail DEFERRED: what it waits for; PREPARED by a build: how many tasks it emitted, by scope; else empty
     */
    record Phase(RunId run, String name, RunPhase phase, int slot, int attempt, long timeNanos, String detail)
            implements DeviceEvent {
        public Phase {
            Objects.requireNonNull(detail, "detail");
        }
    }

    /** A run has ended; its discharge is in the ledger. */
    record RunEnded(RunId run, String name, @Nullable RunFailure failure, long timeNanos) implements DeviceEvent {}

    /** The health of the device changed. */
    record HealthChanged(String device, long epoch, Health from, Health to, String reason) implements DeviceEvent {}

    /** An unproven end poisoned the lane (F2). */
    record Poisoned(String device, Poison poison) implements DeviceEvent {}

    /** A free was refused. */
    record FreeRefused(BufferHandle buffer, String name, Refusal refusal) implements DeviceEvent {}
}
