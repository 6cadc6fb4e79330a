package dev.baton.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Answers to commands that are no submits. Each command's own interface lists what may come. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
@JsonSubTypes({
    @JsonSubTypes.Type(value = Reply.Refused.class, name = "refused"),
    @JsonSubTypes.Type(value = Reply.Failed.class, name = "failed"),
    @JsonSubTypes.Type(value = Reply.Activated.class, name = "activated"),
    @JsonSubTypes.Type(value = Reply.Abandoned.class, name = "abandoned"),
    @JsonSubTypes.Type(value = Reply.Allocated.class, name = "allocated"),
    @JsonSubTypes.Type(value = Reply.Released.class, name = "released"),
    @JsonSubTypes.Type(value = Reply.Written.class, name = "written"),
    @JsonSubTypes.Type(value = Reply.Data.class, name = "data"),
    @JsonSubTypes.Type(value = Reply.Copied.class, name = "copied"),
    @JsonSubTypes.Type(value = Reply.Filled.class, name = "filled"),
    @JsonSubTypes.Type(value = Reply.Revalidated.class, name = "revalidated"),
    @JsonSubTypes.Type(value = Reply.Leased.class, name = "leased"),
    @JsonSubTypes.Type(value = Reply.GivenBack.class, name = "givenBack"),
    @JsonSubTypes.Type(value = Reply.Registered.class, name = "registered"),
    @JsonSubTypes.Type(value = Reply.Unregistered.class, name = "unregistered"),
    @JsonSubTypes.Type(value = Reply.Drained.class, name = "drained"),
    @JsonSubTypes.Type(value = Reply.Closed.class, name = "closed"),
    @JsonSubTypes.Type(value = Reply.ResetDone.class, name = "resetDone"),
    @JsonSubTypes.Type(value = Reply.Subscribed.class, name = "subscribed")
})
public sealed interface Reply {

    sealed interface ActivateReply extends Reply permits Activated, Refused {}

    sealed interface AbandonReply extends Reply permits Abandoned, Refused {}

    sealed interface AllocateReply extends Reply permits Allocated, Failed, Refused {}

    sealed interface FreeReply extends Reply permits Released, Failed, Refused {}

    sealed interface WriteReply extends Reply permits Written, Failed, Refused {}

    sealed interface ReadReply extends Reply permits Data, Failed, Refused {}

    sealed interface CopyReply extends Reply permits Copied, Failed, Refused {}

    sealed interface FillReply extends Reply permits Filled, Failed, Refused {}

    sealed interface RevalidateReply extends Reply permits Revalidated, Refused {}

    sealed interface LeaseReply extends Reply permits Leased, Refused {}

    sealed interface GiveBackReply extends Reply permits GivenBack, Refused {}

    sealed interface RegisterReply extends Reply permits Registered, Failed, Refused {}

    sealed interface UnregisterReply extends Reply permits Unregistered, Failed, Refused {}

    sealed interface DrainReply extends Reply permits Drained, Refused {}

    sealed interface CloseReply extends Reply permits Closed, Refused {}

    sealed interface ResetReply extends Reply permits ResetDone, Failed, Refused {}

    sealed interface SubscribeReply extends Reply permits Subscribed, Refused {}

    /** The command changed nothing. */
    record Refused(Refusal refusal)
            implements ActivateReply,
                    AbandonReply,
                    AllocateReply,
                    FreeReply,
                    WriteReply,
                    ReadReply,
                    CopyReply,
                    FillReply,
                    RevalidateReply,
                    LeaseReply,
                    GiveBackReply,
                    RegisterReply,
                    UnregisterReply,
                    DrainReply,
                    CloseReply,
                    ResetReply,
                    SubscribeReply {
        public Refused {
            Objects.requireNonNull(refusal, "refusal");
        }
    }

    /** The platform itself failed. */
    record Failed(OperationFailure failure, String message)
            implements AllocateReply,
                    FreeReply,
                    WriteReply,
                    ReadReply,
                    CopyReply,
                    FillReply,
                    RegisterReply,
                    UnregisterReply,
                    ResetReply {
        public Failed {
            Objects.requireNonNull(failure, "failure");
            Objects.requireNonNull(message, "message");
        }
    }

    record Activated(RunId run) implements ActivateReply {}

    record Abandoned(RunId run) implements AbandonReply {}

    /**
     * Memory was allocated or adopted.
     *
     * @param buffer its handle
     * @param address its device address, zero for a host buffer
     * @param bytes its size
     */
    record Allocated(BufferHandle buffer, long address, long bytes) implements AllocateReply {}

    /** The driver gave the memory back. */
    record Released(BufferHandle buffer) implements FreeReply {}

    record Written(BufferHandle buffer) implements WriteReply {}

    /** The bytes that were read. */
    record Data(BufferHandle buffer, HostBytes bytes) implements ReadReply {}

    record Copied(BufferHandle from, BufferHandle to) implements CopyReply {}

    record Filled(BufferHandle buffer) implements FillReply {}

    record Revalidated(BufferHandle buffer) implements RevalidateReply {}

    record Leased(Lease lease) implements LeaseReply {}

    /** @param changed false if the lease was stale */
    record GivenBack(boolean changed) implements GiveBackReply {}

    record Registered(String callable) implements RegisterReply {}

    record Unregistered(String callable) implements UnregisterReply {}

    /** @param poison the first cause if the lane is poisoned */
    record Drained(@Nullable Poison poison) implements DrainReply {}

    /**
     * The device is closed.
     *
     * @param stillAllocated device buffers that the caller forgot, in order of allocation; each buffer in one list only
     * @param unreleasable device buffers with the mark, leaked
     * @param quarantined device buffers whose free had failed, leaked
     * @param poison the first cause if the lane was poisoned
     * @param leaked what else was not given back, and why; empty if all was
     */
    record Closed(
            List<BufferRef> stillAllocated,
            List<BufferRef> unreleasable,
            List<BufferRef> quarantined,
            @Nullable Poison poison,
            String leaked)
            implements CloseReply {
        public Closed {
            stillAllocated = List.copyOf(stillAllocated);
            unreleasable = List.copyOf(unreleasable);
            quarantined = List.copyOf(quarantined);
        }
    }

    /** @param epoch the new epoch */
    record ResetDone(long epoch) implements ResetReply {}

    record Subscribed() implements SubscribeReply {}

    /** A buffer as people know it. */
    record BufferRef(BufferHandle handle, String name, long bytes) {}
}
