package dev.baton.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Objects;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * What a client may ask of a device. Each command gets exactly one answer at its {@code replyTo}; a submit gets exactly
 * one {@link RunReply.Accepted} or {@link RunReply.Rejected}, and an accepted run exactly one {@link RunReply.Finished}.
 *
 * <p>What one client sends first is decided first, with no acknowledgement in between.
 */
public sealed interface DeviceCommand permits DeviceCommand.Remote, LocalCommand {

    /** Commands that may come from another machine: they carry no code and no memory of this process. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Submit.class, name = "submit"),
        @JsonSubTypes.Type(value = Activate.class, name = "activate"),
        @JsonSubTypes.Type(value = Abandon.class, name = "abandon"),
        @JsonSubTypes.Type(value = Allocate.class, name = "allocate"),
        @JsonSubTypes.Type(value = Free.class, name = "free"),
        @JsonSubTypes.Type(value = Write.class, name = "write"),
        @JsonSubTypes.Type(value = Read.class, name = "read"),
        @JsonSubTypes.Type(value = Copy.class, name = "copy"),
        @JsonSubTypes.Type(value = Fill.class, name = "fill"),
        @JsonSubTypes.Type(value = Revalidate.class, name = "revalidate"),
        @JsonSubTypes.Type(value = LeaseSlot.class, name = "leaseSlot"),
        @JsonSubTypes.Type(value = GiveBack.class, name = "giveBack"),
        @JsonSubTypes.Type(value = Register.class, name = "register"),
        @JsonSubTypes.Type(value = Unregister.class, name = "unregister"),
        @JsonSubTypes.Type(value = Drain.class, name = "drain"),
        @JsonSubTypes.Type(value = Close.class, name = "close"),
        @JsonSubTypes.Type(value = Reset.class, name = "reset"),
        @JsonSubTypes.Type(value = GetStatus.class, name = "getStatus"),
        @JsonSubTypes.Type(value = Subscribe.class, name = "subscribe"),
        @JsonSubTypes.Type(value = Unsubscribe.class, name = "unsubscribe")
    })
    sealed interface Remote extends DeviceCommand
            permits Submit,
                    Activate,
                    Abandon,
                    Allocate,
                    Free,
                    Write,
                    Read,
                    Copy,
                    Fill,
                    Revalidate,
                    LeaseSlot,
                    GiveBack,
                    Register,
                    Unregister,
                    Drain,
                    Close,
                    Reset,
                    GetStatus,
                    Subscribe,
                    Unsubscribe {}

    /** When a free or a read is to be decided. */
    enum When {
        /** At once; refused if it can't be done now. */
        NOW,
        /** A free: when the last holder is gone with proof (L9). A read: when its bytes are produced (L12). */
        LATER
    }

    /** Runs a callable. */
    record Submit(RunRequest request, ActorRef<RunReply> replyTo) implements Remote {
        public Submit {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(replyTo, "replyTo");
        }
    }

    /** Lets a held run be launched (N7). Answer: {@link Reply.Activated} or refused NOT_HELD, UNKNOWN_RUN. */
    record Activate(RunTarget run, ActorRef<Reply.ActivateReply> replyTo) implements Remote {}

    /** Ends a run that has not been launched (N7). Answer: {@link Reply.Abandoned} or refused. */
    record Abandon(RunTarget run, ActorRef<Reply.AbandonReply> replyTo) implements Remote {}

    /**
     * Allocates device memory.
     *
     * @param name the client's own name, shown to people
     * @param bytes size, at least 1
     */
    record Allocate(String name, long bytes, ActorRef<Reply.AllocateReply> replyTo) implements Remote {}

    /**
     * Gives an allocation back (L8, L9). Frees take handles only (L10).
     *
     * @param buffer the allocation
     * @param offset of a view's first byte in it; anything but zero is an interior address and refused UNKNOWN_BUFFER
     * @param when now, or when idle
     */
    record Free(BufferHandle buffer, long offset, When when, ActorRef<Reply.FreeReply> replyTo) implements Remote {
        public Free(BufferHandle buffer, ActorRef<Reply.FreeReply> replyTo) {
            this(buffer, 0, When.NOW, replyTo);
        }
    }

    /**
     * Host to device (L12).
     *
     * @param name the client's own name for the copy, shown to people
     * @param buffer the allocation
     * @param offset first byte in it
     * @param data the bytes
     */
    record Write(String name, BufferHandle buffer, long offset, HostBytes data, ActorRef<Reply.WriteReply> replyTo)
            implements Remote {}

    /**
     * Device to host (L12).
     *
     * @param offset first byte
     * @param bytes how many, at most what one message can carry (2 GiB)
     * @param when now, or when the runs that declare the bytes have retired
     */
    record Read(String name, BufferHandle buffer, long offset, long bytes, When when, ActorRef<Reply.ReadReply> replyTo)
            implements Remote {}

    /** Device to device, {@code bytes} bytes (L12). The ranges must not overlap. */
    record Copy(
            String name,
            BufferHandle from,
            long fromOffset,
            BufferHandle to,
            long toOffset,
            long bytes,
            ActorRef<Reply.CopyReply> replyTo)
            implements Remote {}

    /** Fills {@code count} elements of the value's type from {@code offset} bytes on (L12). */
    record Fill(
            String name, BufferHandle buffer, long offset, long count, Scalar value, ActorRef<Reply.FillReply> replyTo)
            implements Remote {}

    /** Goes on with the old content of bytes that a never-launched failed run should have written (F1). */
    record Revalidate(BufferHandle buffer, ActorRef<Reply.RevalidateReply> replyTo) implements Remote {}

    /** Leases a slot (N8). */
    record LeaseSlot(int slot, ActorRef<Reply.LeaseReply> replyTo) implements Remote {}

    /** Gives a lease back; a stale one changes nothing (N8). */
    record GiveBack(Lease lease, ActorRef<Reply.GiveBackReply> replyTo) implements Remote {}

    /** Registers a callable whose code the driver has. */
    record Register(CallableSpec callable, ActorRef<Reply.RegisterReply> replyTo) implements Remote {}

    /** Unregisters a callable; refused CALLABLE_IN_USE while a live run uses it. */
    record Unregister(String callable, ActorRef<Reply.UnregisterReply> replyTo) implements Remote {}

    /** Answered when no run is live (F3). */
    record Drain(ActorRef<Reply.DrainReply> replyTo) implements Remote {}

    /** Refuses new work, drains, gives back what can be proven, and reports the rest (F3). */
    record Close(ActorRef<Reply.CloseReply> replyTo) implements Remote {}

    /** Asks the driver to end everything of the epoch (F4). */
    record Reset(ActorRef<Reply.ResetReply> replyTo) implements Remote {}

    /** Asks for the status. */
    record GetStatus(ActorRef<DeviceStatus> replyTo) implements Remote {}

    /** Wants every {@link DeviceEvent} from now on. */
    record Subscribe(ActorRef<DeviceEvent> subscriber, ActorRef<Reply.SubscribeReply> replyTo) implements Remote {}

    /** Wants no more events. */
    record Unsubscribe(ActorRef<DeviceEvent> subscriber) implements Remote {}
}
