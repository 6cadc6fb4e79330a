package dev.baton.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Answers to a submit: exactly one Accepted or Rejected, and after Accepted exactly one Finished. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
@JsonSubTypes({
    @JsonSubTypes.Type(value = RunReply.Accepted.class, name = "accepted"),
    @JsonSubTypes.Type(value = RunReply.Rejected.class, name = "rejected"),
    @JsonSubTypes.Type(value = RunReply.Finished.class, name = "finished")
})
public sealed interface RunReply {
    /** The run was admitted: it is queued or in a slot, and will never be rejected, only finished. */
    record Accepted(RunId run, String name, long dispatch) implements RunReply {}

    /** The run was not admitted and changed nothing. */
    record Rejected(String name, Refusal refusal) implements RunReply {
        public Rejected {
            Objects.requireNonNull(refusal, "refusal");
        }
    }

    /**
     * The run has ended; its discharge is in the ledger already.
     *
     * @param failure null if it COMPLETED
     * @param hostOutputs the host tensors of a completed run's OUT and INOUT host arguments, in order
     */
    record Finished(RunId run, String name, @Nullable RunFailure failure, List<HostTensor> hostOutputs)
            implements RunReply {
        public Finished {
            hostOutputs = List.copyOf(hostOutputs);
        }

        public boolean completed() {
            return failure == null;
        }
    }
}
