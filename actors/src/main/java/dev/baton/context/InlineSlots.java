package dev.baton.context;

import dev.baton.protocol.driver.CompletionListener;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DeviceRuntime;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The slots of a driver that never blocks: parts of the context, since what they do takes no longer than a message. Runs with a host
 * build go to the slot's actor all the same. A slot that throws is dead as an actor would be, and another takes its place.
 */
final class InlineSlots {
    private static final Logger LOG = LoggerFactory.getLogger(InlineSlots.class);

    private final ActorRef<ContextMessage> self;
    private final TimerScheduler<ContextMessage> timers;
    private final Corridor corridor;
    private final Device device;
    private final DeviceRuntime runtime;
    private final ActorRef<BuildDesk.Command> desk;
    private final ActorRef<Object> nobody;
    private final Duration waitStep;
    private final Decorator decorator;
    private final Slot[] slots;
    private final String[] names;
    private boolean stopped;

    InlineSlots(
            ActorRef<ContextMessage> self,
            TimerScheduler<ContextMessage> timers,
            Corridor corridor,
            Device device,
            DeviceRuntime runtime,
            ActorRef<BuildDesk.Command> desk,
            ActorRef<Object> nobody,
            DeviceSettings settings,
            Decorator decorator) {
        this.self = self;
        this.timers = timers;
        this.corridor = corridor;
        this.device = device;
        this.runtime = runtime;
        this.desk = desk;
        this.nobody = nobody;
        this.waitStep = settings.waitStep();
        this.decorator = decorator;
        this.slots = new Slot[settings.depth()];
        this.names = new String[settings.depth()];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = fresh(i);
            names[i] = "slot-" + i;
        }
    }

    private Slot fresh(int slot) {
        return new Slot(device, runtime, desk, nobody, waitStep, new Port(slot));
    }

    void step(int slot, SlotMessage m) {
        if (stopped) {
            return;
        }
        try {
            decorator.hears(names[slot], m);
            slots[slot].step(m);
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError | OutOfMemoryError e) {
            LOG.error("{} died of {}; another takes its place", names[slot], m, e);
            replace(slot);
            corridor.toLane(new LaneMessage.SlotDied(slot, "it failed"));
            corridor.toLane(new LaneMessage.SlotReplaced(slot, null));
        }
    }

    /** Puts a fresh one in the place of one that is dead. */
    void replace(int slot) {
        slots[slot] = fresh(slot);
    }

    /** They do nothing more. */
    void stop() {
        stopped = true;
    }

    private final class Port implements SlotPort {
        private final int slot;
        private final Object timer = new Object();

        Port(int slot) {
            this.slot = slot;
        }

        @Override
        public void keepWaiting(long run) {
            corridor.toSlot(slot, new SlotMessage.KeepWaiting(run));
        }

        @Override
        public void net(long run) {
            timers.startSingleTimer(timer, new ContextMessage.ToSlot(slot, new SlotMessage.AskNow(run)), SAFETY_NET);
        }

        @Override
        public boolean netIsUp() {
            return timers.isTimerActive(timer);
        }

        @Override
        public CompletionListener asking(long run) {
            return () -> self.tell(new ContextMessage.ToSlot(slot, new SlotMessage.AskNow(run)));
        }
    }
}
