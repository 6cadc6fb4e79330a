package dev.baton.context;

import dev.baton.build.Fence;
import dev.baton.lane.Lane;
import dev.baton.lane.LanePort;
import dev.baton.lane.LaneSettings;
import dev.baton.lane.SlotReports;
import dev.baton.ledger.RunEnd;
import dev.baton.ledger.RunWork;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunPhase;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DeviceRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lane's part of the context: one message, one step of the {@link Lane}; it owns the timers of N11, never what may be stuck. */
final class RunLane implements LanePort {
    private static final Logger LOG = LoggerFactory.getLogger(RunLane.class);

    private final TimerScheduler<ContextMessage> timers;
    /** Those that are to come. */
    private final Set<TimerKey> running = new LinkedHashSet<>();

    private final long epoch;
    private final Duration closeGrace;
    private final Device device;
    private final boolean nonBlocking;
    private final DeviceRuntime runtime;
    private final List<ActorRef<SlotMessage>> slots;
    private final ActorRef<DoorMessage> door;
    private final ActorRef<ContextMessage> self;
    private final Corridor corridor;
    private final Lane lane;
    private boolean watched;

    private record TimerKey(@Nullable TimerKind kind, long run) {
        static final TimerKey CLOSE_GRACE = new TimerKey(null, 0);
    }

    RunLane(
            ActorRef<ContextMessage> self,
            TimerScheduler<ContextMessage> timers,
            Corridor corridor,
            long epoch,
            LaneSettings settings,
            Device device,
            DeviceRuntime runtime,
            List<ActorRef<SlotMessage>> slots,
            ActorRef<DoorMessage> door,
            Decorator decorator) {
        this.self = self;
        this.timers = timers;
        this.corridor = corridor;
        this.epoch = epoch;
        this.closeGrace = settings.closeGrace();
        this.device = device;
        this.nonBlocking = device.capabilities().nonBlocking();
        this.runtime = runtime;
        this.slots = new ArrayList<>(slots);
        this.door = door;
        this.lane = new Lane(settings, this);
        decorator.lane(lane::view);
    }

    /** One step. */
    void step(LaneMessage m) {
        if (!fromLedger(m) && !fromSlot(m)) {
            fromOthers(m);
        }
    }

    private boolean fromLedger(LaneMessage m) {
        if (m instanceof LaneMessage.Admitted a) {
            lane.admitted(a.work(), a.slot(), a.blocked());
        } else if (m instanceof LaneMessage.BeginGranted g) {
            lane.beginGranted(g.run(), g.attempt(), g.fence());
        } else if (m instanceof LaneMessage.LaunchGranted g) {
            lane.launchGranted(g.run());
        } else if (m instanceof LaneMessage.SlotChanged s) {
            lane.slotChanged(s.run(), s.slot());
        } else if (m instanceof LaneMessage.Unblocked u) {
            lane.unblocked(u.run());
        } else if (m instanceof LaneMessage.BeginDenied d) {
            lane.beginDenied(d.run(), d.attempt(), d.onlyAtFront());
        } else if (m instanceof LaneMessage.FailedAhead f) {
            lane.failedAhead(f.run(), f.failure());
        } else if (m instanceof LaneMessage.CopyBackGranted c) {
            lane.copyBackGranted(c.run(), c.failure());
        } else if (m instanceof LaneMessage.Activate a) {
            lane.activate(a.token(), a.target());
        } else if (m instanceof LaneMessage.Abandon a) {
            lane.abandon(a.token(), a.target());
        } else if (m instanceof LaneMessage.Status s) {
            door.tell(new DoorMessage.StatusParts(epoch, s.token(), s.ledger(), lane.view()));
        } else {
            return false;
        }
        return true;
    }

    private boolean fromSlot(LaneMessage m) {
        SlotReports r = lane.reports();
        if (m instanceof LaneMessage.Prepared p) {
            r.prepared(p.run(), p.attempt(), p.tasks());
        } else if (m instanceof LaneMessage.Launched l) {
            r.launched(l.run(), l.attempt());
        } else if (m instanceof LaneMessage.Executed e) {
            r.executed(e.run(), e.attempt(), e.failure());
        } else if (m instanceof LaneMessage.Finalized f) {
            r.finalized(f.run(), f.attempt(), f.outcome(), f.outputs(), f.retained());
        } else if (m instanceof LaneMessage.BuildBegan b) {
            r.buildBegan(b.run(), b.attempt());
        } else if (m instanceof LaneMessage.BuildEnded b) {
            r.buildEnded(b.run(), b.attempt());
        } else if (m instanceof LaneMessage.Deferred d) {
            r.deferred(d.run(), d.attempt(), d.by(), d.why());
        } else if (m instanceof LaneMessage.PrepareFailed f) {
            r.prepareFailed(f.run(), f.attempt(), f.what(), f.operation(), f.message(), f.by());
        } else if (m instanceof LaneMessage.CleanupFailed f) {
            r.cleanupFailed(f.run(), f.attempt(), f.message(), f.retained());
        } else if (m instanceof LaneMessage.LaunchFailed f) {
            r.launchFailed(f.run(), f.attempt(), f.message());
        } else if (m instanceof LaneMessage.PollFailed f) {
            r.pollFailed(f.run(), f.attempt(), f.message());
        } else if (m instanceof LaneMessage.CopiedBack c) {
            r.copiedBack(c.run(), c.attempt(), c.failure());
        } else {
            return false;
        }
        lane.go();
        return true;
    }

    private void fromOthers(LaneMessage m) {
        if (m instanceof LaneMessage.Timer t) {
            running.remove(new TimerKey(t.kind(), t.run()));
            lane.timer(t.kind(), t.run());
        } else if (m instanceof LaneMessage.SlotDied d) {
            lane.slotDied(d.slot(), d.why());
        } else if (m instanceof LaneMessage.SlotReplaced r) {
            ActorRef<SlotMessage> actor = r.actor();
            if (actor != null) {
                slots.set(r.slot(), actor);
            }
            lane.slotReplaced(r.slot());
        } else if (m instanceof LaneMessage.AbandonHeld) {
            lane.abandonHeld();
        } else if (m instanceof LaneMessage.CloseNow) {
            lane.closeNow();
            corridor.toLedger(new LedgerMessage.CloseNow(false));
            start(TimerKey.CLOSE_GRACE, LaneMessage.CloseGraceOver.INSTANCE, closeGrace);
        } else if (m instanceof LaneMessage.CloseGraceOver) {
            running.remove(TimerKey.CLOSE_GRACE);
            lane.closeGraceOver();
            corridor.toLedger(new LedgerMessage.CloseNow(true));
        } else if (m instanceof LaneMessage.Freeze) {
            lane.freeze();
            running.forEach(timers::cancel);
            running.clear();
        } else if (m instanceof LaneMessage.Watched w) {
            watched = w.on();
        }
    }

    // ---- LanePort: to the slot

    private void tell(int slot, RunWork work, SlotMessage m) {
        if (isInline(work)) {
            corridor.toSlot(slot, m);
        } else {
            slots.get(slot).tell(m);
        }
    }

    /** Whether a run needs no thread but the device's own. */
    private boolean isInline(RunWork work) {
        return nonBlocking && work.callable().build() == null;
    }

    @Override
    public void prepare(int slot, RunWork work, int attempt, boolean early, Fence fence) {
        tell(
                slot,
                work,
                new SlotMessage.Prepare(work, attempt, early, fence, isInline(work) ? corridor::toLane : self::tell));
    }

    @Override
    public void launch(int slot, RunWork work) {
        tell(slot, work, new SlotMessage.Launch(work.number()));
    }

    @Override
    public void finalizeRun(int slot, RunWork work) {
        tell(slot, work, new SlotMessage.FinalizeRun(work.number()));
    }

    @Override
    public void stopWaiting(int slot, RunWork work, boolean drain) {
        tell(slot, work, new SlotMessage.StopWaiting(work.number()));
        if (drain) {
            told("wake", work, () -> device.wake(work.id()));
        } else {
            interrupt(work);
        }
    }

    /** A word to the driver that it need not answer: if it throws, the wait's own limits go on, and so does the lane. */
    private void told(String call, RunWork work, Runnable word) {
        try {
            word.run();
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError | OutOfMemoryError e) {
            LOG.error(
                    "run={} callable={}: the driver's {} threw {}; its wait ends by its limits only",
                    work.name(),
                    work.callable().spec().name(),
                    call,
                    e.toString());
        }
    }

    @Override
    public void interrupt(RunWork work) {
        told("interrupt", work, () -> device.interrupt(work.id()));
    }

    @Override
    public void copyBack(int slot, RunWork work) {
        tell(slot, work, new SlotMessage.CopyBack(work.number()));
    }

    // ---- to the ledger

    @Override
    public void begin(long run, int attempt, boolean early, long admissionsSeen) {
        corridor.toLedger(new LedgerMessage.Begin(run, attempt, early, admissionsSeen));
    }

    @Override
    public void askLaunch(long run) {
        corridor.toLedger(new LedgerMessage.AskLaunch(run));
    }

    @Override
    public void askCopyBack(long run) {
        corridor.toLedger(new LedgerMessage.AskCopyBack(run));
    }

    @Override
    public void unproven(long run, RunFailure failure, List<Object> retained) {
        corridor.toLedger(new LedgerMessage.Unproven(run, failure, retained));
    }

    @Override
    public void poisoned(long run, RunFailure failure) {
        corridor.toLedger(new LedgerMessage.Poisoned(run, failure));
    }

    @Override
    public void discharge(long run, RunEnd end) {
        corridor.toLedger(new LedgerMessage.Discharge(run, end, watched ? runtime.nanoTime() : 0));
    }

    // ---- to clients and watchers

    @Override
    public void reply(long token, Object reply) {
        door.tell(new DoorMessage.Answer(epoch, token, reply, true));
    }

    @Override
    public void phase(RunWork work, RunPhase phase, int slot, int attempt, String detail) {
        if (watched) {
            door.tell(new DoorMessage.Event(
                    epoch,
                    new DeviceEvent.Phase(work.id(), work.name(), phase, slot, attempt, runtime.nanoTime(), detail)));
        }
    }

    @Override
    public void quarantined(int slot, RunWork work, String call) {
        door.tell(new DoorMessage.Quarantined(epoch, slot));
        LOG.error(
                "run={} callable={} slot={}: the driver's {} did not return; its thread is quarantined",
                work.name(),
                work.callable().spec().name(),
                slot,
                call);
    }

    @Override
    public void startTimer(TimerKind kind, long run, Duration after) {
        start(new TimerKey(kind, run), new LaneMessage.Timer(kind, run), after);
    }

    @Override
    public void cancelTimer(TimerKind kind, long run) {
        TimerKey key = new TimerKey(kind, run);
        if (running.remove(key)) {
            timers.cancel(key);
        }
    }

    private void start(TimerKey key, LaneMessage m, Duration after) {
        running.add(key);
        timers.startSingleTimer(key, m, after);
    }
}
