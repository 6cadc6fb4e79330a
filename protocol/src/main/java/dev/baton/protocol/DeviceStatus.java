package dev.baton.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One look at a device (DESIGN section 8).
 *
 * @param epoch the current epoch
 * @param tableKnown false if the actor that held the table died: then counts and lists say nothing
 * @param queued runs waiting without a slot
 * @param inSlots live runs that hold a slot
 * @param allocated device allocations of callers, host buffers not counted
 * @param retained runs that ended unproven
 * @param quarantinedThreads threads that stand in a driver call which did not return within its limit
 * @param memoryBytes memory of the device
 * @param allocatedBytes bytes of device allocations
 * @param poison the first cause if poisoned
 */
public record DeviceStatus(
        String device,
        long epoch,
        LaneState lane,
        Health health,
        boolean tableKnown,
        int queued,
        int inSlots,
        int allocated,
        int retained,
        int quarantinedThreads,
        int pendingCopies,
        long memoryBytes,
        long allocatedBytes,
        @Nullable Poison poison,
        List<RunStatus> runs,
        List<BufferStatus> buffers) {
    public DeviceStatus {
        runs = List.copyOf(runs);
        buffers = List.copyOf(buffers);
    }

    /**
     * One live run, in dispatch order.
     *
     * @param slot the slot it holds, or -1
     * @param waitsFor why it is deferred or not prepared, empty if it need not wait
     */
    public record RunStatus(
            RunId run,
            String name,
            String callable,
            long dispatch,
            RunPhase phase,
            int slot,
            int attempt,
            boolean held,
            String waitsFor) {}

    /**
     * One allocation, in order of allocation.
     *
     * @param borrowers live runs that borrow it, in dispatch order
     * @param writers live runs that declare bytes of it, in dispatch order
     * @param copies copies under way or waiting that borrow it, in order of decision
     * @param isVoid whether some of its bytes are void
     */
    public record BufferStatus(
            BufferHandle handle,
            String name,
            long address,
            long bytes,
            boolean host,
            List<Holder> borrowers,
            List<Holder> writers,
            List<Holder> copies,
            boolean unreleasable,
            boolean unreadable,
            boolean isVoid,
            boolean quarantined,
            boolean releasePending) {
        public BufferStatus {
            borrowers = List.copyOf(borrowers);
            writers = List.copyOf(writers);
            copies = List.copyOf(copies);
        }
    }
}
