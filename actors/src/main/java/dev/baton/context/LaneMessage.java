package dev.baton.context;

import dev.baton.build.Fence;
import dev.baton.lane.FailurePolicy;
import dev.baton.lane.LanePort;
import dev.baton.ledger.LedgerView;
import dev.baton.ledger.RunWork;
import dev.baton.protocol.Holder;
import dev.baton.protocol.HostTensor;
import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunTarget;
import dev.baton.protocol.driver.Finalization;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** What the lane hears. Slots' reports carry run and attempt; late ones are dropped. */
sealed interface LaneMessage extends ContextMessage {
    record Admitted(RunWork work, int slot, boolean blocked) implements LaneMessage {}

    record SlotChanged(long run, int slot) implements LaneMessage {}

    record Unblocked(long run) implements LaneMessage {}

    record BeginGranted(long run, int attempt, Fence fence) implements LaneMessage {}

    record BeginDenied(long run, int attempt, boolean onlyAtFront) implements LaneMessage {}

    record LaunchGranted(long run) implements LaneMessage {}

    record FailedAhead(long run, RunFailure failure) implements LaneMessage {}

    record CopyBackGranted(long run, @Nullable RunFailure failure) implements LaneMessage {}

    record Activate(long token, RunTarget target) implements LaneMessage {}

    record Abandon(long token, RunTarget target) implements LaneMessage {}

    record Status(long token, LedgerView ledger) implements LaneMessage {}

    record BuildBegan(long run, int attempt) implements LaneMessage {}

    record BuildEnded(long run, int attempt) implements LaneMessage {}

    record Prepared(long run, int attempt, String tasks) implements LaneMessage {}

    record Deferred(long run, int attempt, @Nullable Holder by, String why) implements LaneMessage {}

    record PrepareFailed(
            long run,
            int attempt,
            FailurePolicy.Happening what,
            String operation,
            String message,
            @Nullable Holder by) implements LaneMessage {}

    record CleanupFailed(long run, int attempt, String message, List<Object> retained) implements LaneMessage {}

    record Launched(long run, int attempt) implements LaneMessage {}

    record LaunchFailed(long run, int attempt, String message) implements LaneMessage {}

    record Executed(long run, int attempt, @Nullable String failure) implements LaneMessage {}

    record PollFailed(long run, int attempt, String message) implements LaneMessage {}

    record Finalized(long run, int attempt, Finalization outcome, List<HostTensor> outputs, List<Object> retained)
            implements LaneMessage {}

    record CopiedBack(long run, int attempt, @Nullable String failure) implements LaneMessage {}

    record Timer(LanePort.TimerKind kind, long run) implements LaneMessage {}

    record SlotDied(int slot, String why) implements LaneMessage {}

    /** @param actor the slot's new actor; null if that is the old one, and only what never blocks was replaced */
    record SlotReplaced(int slot, @Nullable ActorRef<SlotMessage> actor) implements LaneMessage {}

    enum AbandonHeld implements LaneMessage {
        INSTANCE
    }

    enum CloseNow implements LaneMessage {
        INSTANCE
    }

    enum CloseGraceOver implements LaneMessage {
        INSTANCE
    }

    enum Freeze implements LaneMessage {
        INSTANCE
    }

    record Watched(boolean on) implements LaneMessage {}
}
