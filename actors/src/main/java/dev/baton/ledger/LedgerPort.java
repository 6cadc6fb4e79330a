package dev.baton.ledger;

import dev.baton.build.Fence;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.RunFailure;
import org.jspecify.annotations.Nullable;

/** Where the ledger's decisions go; the actor shell sends them, a test records them. */
public interface LedgerPort {
    /** Answers a command; {@code last} if nothing more will come for that token. */
    void reply(long token, Object reply, boolean last);

    /** Tells the lane of an admitted run. */
    void admitted(RunWork work, int slot, boolean blocked, long admission);

    /** Tells the lane that a run holds a slot now, or none (-1). */
    void slotChanged(long run, int slot);

    /** Tells the lane that no copy stands in a run's way any more. */
    void unblocked(long run);

    /** A preparation may begin. */
    void beginGranted(long run, int attempt, Fence fence);

    /** A preparation may not begin now; {@code onlyAtFront} if it will not before the run is at the front. */
    void beginDenied(long run, int attempt, boolean onlyAtFront);

    /** A launch may be called. */
    void launchGranted(long run);

    /** The run is over before it was prepared or launched. */
    void failedAhead(long run, RunFailure failure);

    /** A completed run's host buffers may be written back. */
    void copyBackGranted(long run, @Nullable RunFailure failure);

    /** The next memory call of the device. */
    void io(long call, IoCall what);

    /** Something for those who watch. */
    void event(DeviceEvent event);

    /** The device can't be trusted any more (L11): the actor dies of it. */
    void deviceFailed(String why);
}
