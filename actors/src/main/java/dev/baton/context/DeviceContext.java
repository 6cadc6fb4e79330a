package dev.baton.context;

import dev.baton.lane.LaneSettings;
import dev.baton.protocol.driver.Capabilities;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DeviceRuntime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * The way in of one epoch: parent of ledger and lane, warden of the I/O thread's limit (N11). It dies with either of its children:
 * a lost table or order can't be made up.
 */
public final class DeviceContext extends AbstractBehavior<ContextMessage> {
    private final TimerScheduler<ContextMessage> timers;
    private final long epoch;
    private final ActorRef<DoorMessage> door;
    private final ActorRef<IoMessage> io;
    private final ActorRef<LaneMessage> lane;
    private final ActorRef<LedgerMessage> ledger;
    private final @Nullable Duration callLimit;
    /** Memory calls under way, in order; bounded by the ledger's tables. */
    private final Deque<ContextMessage.Io> calls = new ArrayDeque<>();

    private DeviceContext(
            ActorContext<ContextMessage> ctx,
            TimerScheduler<ContextMessage> timers,
            String device,
            long epoch,
            DeviceSettings settings,
            Device driver,
            DeviceRuntime runtime,
            List<ContextMessage.SlotRefs> slots,
            ActorRef<IoMessage> io,
            ActorRef<DoorMessage> door,
            Decorator decorator) {
        super(ctx);
        this.timers = timers;
        this.epoch = epoch;
        this.door = door;
        this.io = io;
        this.callLimit = settings.callLimit();
        Capabilities can = driver.capabilities();
        LaneSettings laneSettings = new LaneSettings(
                settings.depth(),
                can.concurrentPrepare(),
                can.joinedLaunch(),
                settings.callLimit(),
                settings.closeGrace());
        this.lane = ctx.spawn(
                decorator.decorate(
                        "lane",
                        StepWatch.around(
                                LaneMessage.class,
                                runtime,
                                "lane",
                                RunLane.create(epoch, laneSettings, driver, runtime, slots, door, decorator))),
                "lane",
                org.apache.pekko.actor.typed.DispatcherSelector.sameAsParent());
        this.ledger = ctx.spawn(
                decorator.decorate(
                        "ledger",
                        StepWatch.around(
                                LedgerMessage.class,
                                runtime,
                                "ledger",
                                BufferLedger.create(
                                        device, epoch, settings.ledgerLimits(), door, lane, ctx.getSelf(), decorator))),
                "ledger",
                org.apache.pekko.actor.typed.DispatcherSelector.sameAsParent());
        lane.tell(new LaneMessage.Ledger(ledger));
        // not handled below: the death of either is the death of the context
        ctx.watch(lane);
        ctx.watch(ledger);
    }

    public static Behavior<ContextMessage> create(
            String device,
            long epoch,
            DeviceSettings settings,
            Device driver,
            DeviceRuntime runtime,
            List<ContextMessage.SlotRefs> slots,
            ActorRef<IoMessage> io,
            ActorRef<DoorMessage> door,
            Decorator decorator) {
        return Behaviors.setup(ctx -> Behaviors.withTimers(timers ->
                new DeviceContext(ctx, timers, device, epoch, settings, driver, runtime, slots, io, door, decorator)));
    }

    @Override
    public Receive<ContextMessage> createReceive() {
        return newReceiveBuilder().onAnyMessage(this::step).build();
    }

    private Behavior<ContextMessage> step(ContextMessage m) {
        if (m instanceof ContextMessage.Command c) {
            ledger.tell(new LedgerMessage.Command(c.token(), c.command()));
        } else if (m instanceof ContextMessage.Io call) {
            calls.add(call);
            if (calls.size() == 1) {
                startLimit(call);
            }
            io.tell(new IoMessage(call.call(), call.what(), getContext().getSelf()));
        } else if (m instanceof ContextMessage.IoDone done) {
            ioDone(done);
        } else if (m instanceof ContextMessage.IoLimit limit) {
            return ioLimit(limit);
        } else if (m instanceof ContextMessage.SlotDied d) {
            lane.tell(new LaneMessage.SlotDied(d.slot(), d.why()));
        } else if (m instanceof ContextMessage.SlotReplaced r) {
            lane.tell(new LaneMessage.SlotReplaced(r.slot(), r.refs()));
        } else if (m instanceof ContextMessage.Close) {
            ledger.tell(LedgerMessage.Close.INSTANCE);
        } else if (m instanceof ContextMessage.CloseNow) {
            lane.tell(LaneMessage.CloseNow.INSTANCE);
        } else if (m instanceof ContextMessage.Freeze) {
            lane.tell(LaneMessage.Freeze.INSTANCE);
        } else if (m instanceof ContextMessage.Watched w) {
            ledger.tell(new LedgerMessage.Watched(w.on()));
            lane.tell(new LaneMessage.Watched(w.on()));
        } else if (m instanceof ContextMessage.FailDeclarations f) {
            ledger.tell(new LedgerMessage.FailDeclarations(f.times()));
        }
        return this;
    }

    private void startLimit(ContextMessage.Io call) {
        if (callLimit != null) {
            timers.startSingleTimer("call", new ContextMessage.IoLimit(call.call()), callLimit);
        }
    }

    private void ioDone(ContextMessage.IoDone done) {
        ContextMessage.Io first = calls.peek();
        if (first == null || first.call() != done.call()) {
            return;
        }
        calls.poll();
        ledger.tell(new LedgerMessage.IoDone(done.call(), done.result()));
        if (callLimit != null) {
            timers.cancel("call");
            ContextMessage.Io next = calls.peek();
            if (next != null) {
                startLimit(next);
            }
        }
    }

    /** A memory call that does not return may touch memory for ever: nothing of this epoch can be proven any more. */
    private Behavior<ContextMessage> ioLimit(ContextMessage.IoLimit limit) {
        ContextMessage.Io first = calls.peek();
        if (first == null || first.call() != limit.call()) {
            return this;
        }
        String what = first.what().getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
        door.tell(new DoorMessage.Failing(
                epoch,
                "the driver's " + what + " of " + first.what().label() + " did not return within " + callLimit
                        + "; its thread is quarantined",
                true));
        lane.tell(LaneMessage.Freeze.INSTANCE);
        calls.clear();
        return this;
    }
}
