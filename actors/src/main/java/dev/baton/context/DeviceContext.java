package dev.baton.context;

import dev.baton.lane.LaneSettings;
import dev.baton.protocol.driver.Capabilities;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DeviceRuntime;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * One epoch of a device on its thread: ledger, lane, and the slots of a driver that never blocks, as parts of one actor (decision
 * 9). One message is one step: the part it is for hears it, and then the parts hear what they told each other in the
 * {@link Corridor}, until nothing is left. What a part throws kills the context: a lost table or order can't be made up.
 */
public final class DeviceContext extends AbstractBehavior<ContextMessage> {
    private final long epoch;
    private final ActorRef<DoorMessage> door;
    private final Corridor corridor = new Corridor();
    private final IoWarden io;
    private final BufferLedger ledger;
    private final RunLane lane;
    private final InlineSlots slots;
    private final Decorator decorator;
    private final StepWatch watch;

    private DeviceContext(
            ActorContext<ContextMessage> ctx,
            TimerScheduler<ContextMessage> timers,
            String device,
            long epoch,
            DeviceSettings settings,
            Device driver,
            DeviceRuntime runtime,
            List<ActorRef<SlotMessage>> slotActors,
            ActorRef<IoMessage> ioActor,
            ActorRef<BuildDesk.Command> desk,
            ActorRef<DoorMessage> door,
            Decorator decorator) {
        super(ctx);
        this.epoch = epoch;
        this.door = door;
        this.decorator = decorator;
        this.watch = new StepWatch(runtime, device);
        Capabilities can = driver.capabilities();
        LaneSettings laneSettings = new LaneSettings(
                settings.depth(),
                can.concurrentPrepare(),
                can.joinedLaunch(),
                settings.callLimit(),
                settings.closeGrace());
        ActorRef<ContextMessage> self = ctx.getSelf();
        this.io = new IoWarden(self, timers, ioActor, settings.callLimit());
        this.lane =
                new RunLane(self, timers, corridor, epoch, laneSettings, driver, runtime, slotActors, door, decorator);
        this.ledger = new BufferLedger(device, epoch, settings.ledgerLimits(), door, corridor, io, decorator);
        this.slots = new InlineSlots(
                self, timers, corridor, driver, runtime, desk, ctx.getSystem().ignoreRef(), settings, decorator);
    }

    /**
     * An epoch's context.
     *
     * @param slots the slots' actors, in order: they may block
     * @param io the actor of memory calls
     */
    public static Behavior<ContextMessage> create(
            String device,
            long epoch,
            DeviceSettings settings,
            Device driver,
            DeviceRuntime runtime,
            List<ActorRef<SlotMessage>> slots,
            ActorRef<IoMessage> io,
            ActorRef<BuildDesk.Command> desk,
            ActorRef<DoorMessage> door,
            Decorator decorator) {
        return Behaviors.setup(ctx -> Behaviors.withTimers(timers -> new DeviceContext(
                ctx, timers, device, epoch, settings, driver, runtime, slots, io, desk, door, decorator)));
    }

    @Override
    public Receive<ContextMessage> createReceive() {
        return newReceiveBuilder().onAnyMessage(this::step).build();
    }

    private Behavior<ContextMessage> step(ContextMessage m) {
        watch.begins();
        hear(m);
        for (Object next = corridor.next(); next != null; next = corridor.next()) {
            if (next instanceof LedgerMessage l) {
                toLedger(l);
            } else {
                hear((ContextMessage) next);
            }
        }
        watch.ends();
        return this;
    }

    private void toLedger(LedgerMessage m) {
        watch.heard(m);
        decorator.hears("ledger", m);
        ledger.step(m);
    }

    private void toLane(LaneMessage m) {
        decorator.hears("lane", m);
        lane.step(m);
    }

    private void hear(ContextMessage m) {
        watch.heard(m);
        if (m instanceof LaneMessage l) {
            toLane(l);
        } else if (m instanceof ContextMessage.ToSlot s) {
            slots.step(s.slot(), s.message());
        } else if (m instanceof ContextMessage.Command c) {
            toLedger(new LedgerMessage.Command(c.token(), c.command()));
        } else if (m instanceof ContextMessage.IoDone done) {
            if (io.done(done.call())) {
                toLedger(new LedgerMessage.IoDone(done.call(), done.result()));
            }
        } else {
            seldom(m);
        }
    }

    private void seldom(ContextMessage m) {
        if (m instanceof ContextMessage.IoLimit limit) {
            ioLimit(limit);
        } else if (m instanceof ContextMessage.SlotDied d) {
            toLane(new LaneMessage.SlotDied(d.slot(), d.why()));
        } else if (m instanceof ContextMessage.SlotReplaced r) {
            slots.replace(r.slot());
            toLane(new LaneMessage.SlotReplaced(r.slot(), r.actor()));
        } else if (m instanceof ContextMessage.Close) {
            toLedger(LedgerMessage.Close.INSTANCE);
        } else if (m instanceof ContextMessage.CloseNow) {
            toLane(LaneMessage.CloseNow.INSTANCE);
        } else if (m instanceof ContextMessage.Freeze) {
            slots.stop();
            toLane(LaneMessage.Freeze.INSTANCE);
        } else if (m instanceof ContextMessage.Watched w) {
            toLedger(new LedgerMessage.Watched(w.on()));
            toLane(new LaneMessage.Watched(w.on()));
        } else if (m instanceof ContextMessage.FailDeclarations f) {
            toLedger(new LedgerMessage.FailDeclarations(f.times()));
        }
    }

    /** A memory call that does not return may touch memory for ever: nothing of this epoch can be proven any more. */
    private void ioLimit(ContextMessage.IoLimit limit) {
        String overdue = io.overdue(limit.call());
        if (overdue != null) {
            door.tell(new DoorMessage.Failing(epoch, overdue, true));
            toLane(LaneMessage.Freeze.INSTANCE);
        }
    }
}
