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
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/** The actor around the {@link Lane}: one message, one step; it owns the timers of N11, never the actor that may be stuck. */
final class RunLane extends AbstractBehavior<LaneMessage> implements LanePort {
    private final TimerScheduler<LaneMessage> timers;
    private final long epoch;
    private final Duration closeGrace;
    private final Device device;
    private final boolean nonBlocking;
    private final DeviceRuntime runtime;
    private final ContextMessage.SlotRefs[] slots;
    private final ActorRef<DoorMessage> door;
    private final Lane lane;
    /** Made after the lane; its name is the first thing that the lane hears. */
    private @Nullable ActorRef<LedgerMessage> ledger;

    private boolean watched;

    private record TimerKey(TimerKind kind, long run) {}

    private RunLane(
            ActorContext<LaneMessage> ctx,
            TimerScheduler<LaneMessage> timers,
            long epoch,
            LaneSettings settings,
            Device device,
            DeviceRuntime runtime,
            List<ContextMessage.SlotRefs> slots,
            ActorRef<DoorMessage> door,
            Decorator decorator) {
        super(ctx);
        this.timers = timers;
        this.epoch = epoch;
        this.closeGrace = settings.closeGrace();
        this.device = device;
        this.nonBlocking = device.capabilities().nonBlocking();
        this.runtime = runtime;
        this.slots = slots.toArray(new ContextMessage.SlotRefs[0]);
        this.door = door;
        this.lane = new Lane(settings, this);
        decorator.lane(lane::view);
    }

    static Behavior<LaneMessage> create(
            long epoch,
            LaneSettings settings,
            Device device,
            DeviceRuntime runtime,
            List<ContextMessage.SlotRefs> slots,
            ActorRef<DoorMessage> door,
            Decorator decorator) {
        return Behaviors.setup(ctx -> Behaviors.withTimers(
                timers -> new RunLane(ctx, timers, epoch, settings, device, runtime, slots, door, decorator)));
    }

    @Override
    public Receive<LaneMessage> createReceive() {
        return newReceiveBuilder().onAnyMessage(this::step).build();
    }

    private Behavior<LaneMessage> step(LaneMessage m) {
        if (!fromLedger(m) && !fromSlot(m)) {
            fromOthers(m);
        }
        return this;
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
        if (m instanceof LaneMessage.Ledger l) {
            ledger = l.ref();
        } else if (m instanceof LaneMessage.Timer t) {
            lane.timer(t.kind(), t.run());
        } else if (m instanceof LaneMessage.SlotDied d) {
            lane.slotDied(d.slot(), d.why());
        } else if (m instanceof LaneMessage.SlotReplaced r) {
            slots[r.slot()] = r.refs();
            lane.slotReplaced(r.slot());
        } else if (m instanceof LaneMessage.AbandonHeld) {
            lane.abandonHeld();
        } else if (m instanceof LaneMessage.CloseNow) {
            lane.closeNow();
            toLedger(new LedgerMessage.CloseNow(false));
            timers.startSingleTimer(LaneMessage.CloseGraceOver.INSTANCE, closeGrace);
        } else if (m instanceof LaneMessage.CloseGraceOver) {
            lane.closeGraceOver();
            toLedger(new LedgerMessage.CloseNow(true));
        } else if (m instanceof LaneMessage.Freeze) {
            lane.freeze();
            timers.cancelAll();
        } else if (m instanceof LaneMessage.Watched w) {
            watched = w.on();
        }
    }

    private void toLedger(LedgerMessage m) {
        ActorRef<LedgerMessage> to = ledger;
        if (to == null) {
            throw new IllegalStateException("the lane has not heard of its ledger: " + m);
        }
        to.tell(m);
    }

    // ---- LanePort: to the slot

    private ActorRef<SlotMessage> slot(int slot, RunWork work) {
        boolean inline = nonBlocking && work.callable().build() == null;
        return inline ? slots[slot].inline() : slots[slot].pinned();
    }

    @Override
    public void prepare(int slot, RunWork work, int attempt, boolean early, Fence fence) {
        slot(slot, work)
                .tell(new SlotMessage.Prepare(
                        work, attempt, early, fence, getContext().getSelf()));
    }

    @Override
    public void launch(int slot, RunWork work) {
        slot(slot, work).tell(new SlotMessage.Launch(work.number()));
    }

    @Override
    public void finalizeRun(int slot, RunWork work) {
        slot(slot, work).tell(new SlotMessage.FinalizeRun(work.number()));
    }

    @Override
    public void stopWaiting(int slot, RunWork work, boolean drain) {
        slot(slot, work).tell(new SlotMessage.StopWaiting(work.number()));
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
            getContext()
                    .getLog()
                    .error(
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
        slot(slot, work).tell(new SlotMessage.CopyBack(work.number()));
    }

    // ---- to the ledger

    @Override
    public void begin(long run, int attempt, boolean early, long admissionsSeen) {
        toLedger(new LedgerMessage.Begin(run, attempt, early, admissionsSeen));
    }

    @Override
    public void askLaunch(long run) {
        toLedger(new LedgerMessage.AskLaunch(run));
    }

    @Override
    public void askCopyBack(long run) {
        toLedger(new LedgerMessage.AskCopyBack(run));
    }

    @Override
    public void unproven(long run, RunFailure failure, List<Object> retained) {
        toLedger(new LedgerMessage.Unproven(run, failure, retained));
    }

    @Override
    public void poisoned(long run, RunFailure failure) {
        toLedger(new LedgerMessage.Poisoned(run, failure));
    }

    @Override
    public void discharge(long run, RunEnd end) {
        toLedger(new LedgerMessage.Discharge(run, end, watched ? runtime.nanoTime() : 0));
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
        getContext()
                .getLog()
                .error(
                        "run={} callable={} slot={}: the driver's {} did not return; its thread is quarantined",
                        work.name(),
                        work.callable().spec().name(),
                        slot,
                        call);
    }

    @Override
    public void startTimer(TimerKind kind, long run, Duration after) {
        timers.startSingleTimer(new TimerKey(kind, run), new LaneMessage.Timer(kind, run), after);
    }

    @Override
    public void cancelTimer(TimerKind kind, long run) {
        timers.cancel(new TimerKey(kind, run));
    }
}
