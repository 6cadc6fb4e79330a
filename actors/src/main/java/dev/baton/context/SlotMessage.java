package dev.baton.context;

import dev.baton.build.Fence;
import dev.baton.ledger.RunWork;
import java.util.function.Consumer;

/** What a slot hears. It carries one run at a time, from preparation to copy-back. */
public sealed interface SlotMessage {
    /** @param lane hears the slot's reports on the run */
    record Prepare(RunWork work, int attempt, boolean early, Fence fence, Consumer<LaneMessage> lane)
            implements SlotMessage {}

    record Launch(long run) implements SlotMessage {}

    record FinalizeRun(long run) implements SlotMessage {}

    /** Wait no longer for the run's end; finalize it. */
    record StopWaiting(long run) implements SlotMessage {}

    record CopyBack(long run) implements SlotMessage {}

    /** To itself: go on waiting, a bounded step at a time. */
    record KeepWaiting(long run) implements SlotMessage {}

    /** From the driver's listener, or from a timer: ask now. */
    record AskNow(long run) implements SlotMessage {}
}
