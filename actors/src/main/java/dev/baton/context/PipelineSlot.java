package dev.baton.context;

import dev.baton.protocol.driver.CompletionListener;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DeviceRuntime;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/** The actor around a {@link Slot} that has a thread of its own: for drivers that may block, and for host builds. */
public final class PipelineSlot extends AbstractBehavior<SlotMessage> implements SlotPort {
    private final TimerScheduler<SlotMessage> timers;
    private final ActorRef<SlotMessage> self;
    private final Slot slot;

    private PipelineSlot(
            ActorContext<SlotMessage> ctx,
            TimerScheduler<SlotMessage> timers,
            Device device,
            DeviceRuntime runtime,
            ActorRef<BuildDesk.Command> desk,
            Duration waitStep) {
        super(ctx);
        this.timers = timers;
        this.self = ctx.getSelf();
        this.slot = new Slot(device, runtime, desk, ctx.getSystem().ignoreRef(), waitStep, this);
    }

    /** A slot's actor. */
    public static Behavior<SlotMessage> create(
            Device device, DeviceRuntime runtime, ActorRef<BuildDesk.Command> desk, Duration waitStep) {
        return Behaviors.setup(
                ctx -> Behaviors.withTimers(timers -> new PipelineSlot(ctx, timers, device, runtime, desk, waitStep)));
    }

    @Override
    public Receive<SlotMessage> createReceive() {
        return newReceiveBuilder()
                .onAnyMessage(m -> {
                    slot.step(m);
                    return this;
                })
                .build();
    }

    // ---- SlotPort

    @Override
    public void keepWaiting(long run) {
        self.tell(new SlotMessage.KeepWaiting(run));
    }

    @Override
    public void net(long run) {
        timers.startSingleTimer(SAFETY_NET, new SlotMessage.AskNow(run), SAFETY_NET);
    }

    @Override
    public boolean netIsUp() {
        return timers.isTimerActive(SAFETY_NET);
    }

    @Override
    public CompletionListener asking(long run) {
        return () -> self.tell(new SlotMessage.AskNow(run));
    }
}
