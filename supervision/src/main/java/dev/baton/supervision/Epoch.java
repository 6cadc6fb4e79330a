package dev.baton.supervision;

import dev.baton.context.BuildDesk;
import dev.baton.context.ContextMessage;
import dev.baton.context.Decorator;
import dev.baton.context.DeviceContext;
import dev.baton.context.DeviceIo;
import dev.baton.context.DeviceSettings;
import dev.baton.context.DoorMessage;
import dev.baton.context.IoMessage;
import dev.baton.context.PipelineSlot;
import dev.baton.context.SlotMessage;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DeviceRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/**
 * The actors of one epoch, all children of the door: those that may block are never children of the context, since
 * Pekko reports a death only after all children have stopped.
 */
final class Epoch {
    private final ActorContext<Object> ctx;
    private final DeviceSettings settings;
    private final Device device;
    private final DeviceRuntime runtime;
    private final ActorRef<BuildDesk.Command> desk;
    private final Decorator decorator;
    private final long number;
    private final int incarnation;
    private final List<ActorRef<SlotMessage>> slots = new ArrayList<>();
    private final ActorRef<IoMessage> io;
    private final ActorRef<ContextMessage> context;
    private int replacements;

    Epoch(
            ActorContext<Object> ctx,
            String name,
            long number,
            int incarnation,
            DeviceSettings settings,
            Device device,
            DeviceRuntime runtime,
            ActorRef<BuildDesk.Command> desk,
            ActorRef<DoorMessage> door,
            Decorator decorator) {
        this.ctx = ctx;
        this.settings = settings;
        this.device = device;
        this.runtime = runtime;
        this.desk = desk;
        this.decorator = decorator;
        this.number = number;
        this.incarnation = incarnation;
        for (int i = 0; i < settings.depth(); i++) {
            slots.add(spawnSlot(i));
        }
        this.io = ctx.spawn(decorator.decorate("io", DeviceIo.create(device)), "io-" + incarnation, blocking(device));
        ctx.watch(io);
        this.context = ctx.spawn(
                decorator.decorate(
                        "context",
                        DeviceContext.create(
                                name, number, settings, device, runtime, slots, io, desk, door, decorator)),
                "context-" + incarnation,
                DispatcherSelector.sameAsParent());
        ctx.watch(context);
    }

    private DispatcherSelector blocking(Device d) {
        return d.capabilities().nonBlocking()
                ? DispatcherSelector.sameAsParent()
                : DispatcherSelector.fromConfig(settings.blockingDispatcher());
    }

    private ActorRef<SlotMessage> spawnSlot(int i) {
        String suffix = incarnation + "-" + i + (replacements == 0 ? "" : "-" + replacements);
        ActorRef<SlotMessage> slot = ctx.spawn(
                decorator.decorate("slot-" + i, PipelineSlot.create(device, runtime, desk, settings.waitStep())),
                "slot-" + suffix,
                DispatcherSelector.fromConfig(settings.blockingDispatcher()));
        ctx.watch(slot);
        return slot;
    }

    long number() {
        return number;
    }

    ActorRef<ContextMessage> context() {
        return context;
    }

    boolean isContext(ActorRef<?> ref) {
        return context.equals(ref);
    }

    boolean isIo(ActorRef<?> ref) {
        return io.equals(ref);
    }

    /** The slot whose actor that is, or -1. */
    int slotOf(ActorRef<?> ref) {
        for (int i = 0; i < slots.size(); i++) {
            if (slots.get(i).equals(ref)) {
                return i;
            }
        }
        return -1;
    }

    /** Puts a fresh actor in the place of a slot's dead one. */
    ActorRef<SlotMessage> replaceSlot(int i) {
        replacements++;
        ActorRef<SlotMessage> fresh = spawnSlot(i);
        slots.set(i, fresh);
        return fresh;
    }

    /** The actor that stands in a call of a slot. */
    ActorRef<?> slotActor(int i) {
        return slots.get(i);
    }

    /** The actor of memory calls. */
    ActorRef<?> ioActor() {
        return io;
    }

    /** Stops slots and I/O; what stands in a call stops when that returns; the stuck ones stay watched. */
    void stopThreads(Set<ActorRef<?>> stuck) {
        for (ActorRef<SlotMessage> slot : slots) {
            if (!stuck.contains(slot)) {
                ctx.unwatch(slot);
            }
            ctx.stop(slot);
        }
        if (!stuck.contains(io)) {
            ctx.unwatch(io);
        }
        ctx.stop(io);
    }

    void stopContext() {
        ctx.unwatch(context);
        ctx.stop(context);
    }
}
