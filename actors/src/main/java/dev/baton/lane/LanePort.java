package dev.baton.lane;

import dev.baton.build.Fence;
import dev.baton.ledger.RunEnd;
import dev.baton.ledger.RunWork;
import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunPhase;
import java.time.Duration;
import java.util.List;

/** Where the lane's decisions go; the actor shell sends them, a test records them. */
public interface LanePort {
    /** Timers of the lane; one of each kind per run. */
    enum TimerKind {
        /** N11: not launched in time. */
        QUEUE,
        /** N11: longest time on the device. */
        EXECUTION,
        /** The limit of one driver call. */
        CALL
    }

    // to the slot

    void prepare(int slot, RunWork work, int attempt, boolean early, Fence fence);

    void launch(int slot, RunWork work);

    /** Finalize a prepared run that is not launched. */
    void finalizeRun(int slot, RunWork work);

    /** Stop waiting for a launched run and finalize it: {@code drain} waits for its end, else not further. */
    void stopWaiting(int slot, RunWork work, boolean drain);

    /** A finalize that drains is to end without waiting further. */
    void interrupt(RunWork work);

    void copyBack(int slot, RunWork work);

    // to the ledger

    void begin(long run, int attempt, boolean early, long admissionsSeen);

    void askLaunch(long run);

    void askCopyBack(long run);

    void unproven(long run, RunFailure failure, List<Object> retained);

    void poisoned(long run, RunFailure failure);

    void discharge(long run, RunEnd end);

    // to clients and watchers

    void reply(long token, Object reply);

    /** @param detail as of {@link dev.baton.protocol.DeviceEvent.Phase} */
    void phase(RunWork work, RunPhase phase, int slot, int attempt, String detail);

    /** A slot's thread stands in a call that did not return: it is not used again. */
    void quarantined(int slot, RunWork work, String call);

    // timers

    void startTimer(TimerKind kind, long run, Duration after);

    void cancelTimer(TimerKind kind, long run);
}
