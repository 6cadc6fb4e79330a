package dev.baton.supervision;

import dev.baton.context.BuildDesk;
import dev.baton.context.ContextMessage;
import dev.baton.context.Decorator;
import dev.baton.context.DeviceSettings;
import dev.baton.context.DoorMessage;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.Health;
import dev.baton.protocol.LocalCommand;
import dev.baton.protocol.OperationFailure;
import dev.baton.protocol.Poison;
import dev.baton.protocol.Refusal;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.ResetOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * The door of one device: the actor that clients hold. It records what is owed and outlives everything behind it.
 *
 * <p>Who speaks first: clients. Commands go to the epoch's context in arrival order; every answer comes back through here, so that
 * a late one of a dead child finds nothing owed any more and each command gets exactly one. Nobody waits here; resets and the
 * driver's close run on threads of their own and come back as messages.
 */
public final class DeviceSupervisor extends AbstractBehavior<Object> {
    private final TimerScheduler<Object> timers;
    private final String name;
    private final Device device;
    private final DeviceRuntime runtime;
    private final DeviceSettings settings;
    private final LongSupplier epochs;
    private final Decorator decorator;
    private final ActorRef<BuildDesk.Command> desk;
    private final FailureLog failures;
    private final Owed owed;
    private final Watchers watchers;
    /** Callables that the driver knows; registered anew in each epoch. */
    private final Map<String, DeviceCommand> callables = new LinkedHashMap<>();

    private final List<DeviceCommand.Close> closers = new ArrayList<>();
    private DoorState state = DoorState.OPEN;
    private Epoch epoch;
    private int incarnations;
    private boolean contextAlive = true;
    private @Nullable Poison poison;
    private DeviceCommand.@Nullable Reset resetter;
    private Reply.@Nullable Closed closed;
    /** What the close found, until the driver is closed too. */
    private Reply.@Nullable Closed pendingReport;

    private String failure = "";
    /** Actors whose threads stand in driver calls that did not return, over all epochs; each leaves when its call does. */
    private final Set<ActorRef<?>> stuck = new LinkedHashSet<>();

    private record ResetDone(long epoch, ResetOutcome outcome) {}

    private record DriverClosed(String problem) {}

    private enum CloseTimeout {
        INSTANCE
    }

    private DeviceSupervisor(
            ActorContext<Object> ctx,
            TimerScheduler<Object> timers,
            String name,
            Device device,
            DeviceRuntime runtime,
            DeviceSettings settings,
            LongSupplier epochs,
            Decorator decorator) {
        super(ctx);
        this.timers = timers;
        this.name = name;
        this.device = device;
        this.runtime = runtime;
        this.settings = settings;
        this.epochs = epochs;
        this.decorator = decorator;
        this.failures = new FailureLog(ctx.getLog(), name);
        this.owed = new Owed(failures::told);
        this.watchers = new Watchers(name, settings.subscribers());
        this.desk =
                ctx.spawn(BuildDesk.create(ctx.getSelf().narrow()), "build-desk", DispatcherSelector.sameAsParent());
        this.epoch = nextEpoch();
        decorator.door(this::look);
    }

    /**
     * The behavior of a device's door; spawn it on {@link DeviceSettings#deviceDispatcher}.
     *
     * @param name the device's name, part of every handle
     * @param device the opened device
     * @param runtime the runtime it was opened with
     * @param epochs gives epochs that are unique across restarts of the process
     * @throws IllegalArgumentException with one sentence for each thing that is wrong with the device's capabilities
     */
    public static Behavior<DeviceCommand> create(
            String name,
            Device device,
            DeviceRuntime runtime,
            DeviceSettings settings,
            LongSupplier epochs,
            Decorator decorator) {
        List<String> errors = new ArrayList<>(device.capabilities().errors());
        if (settings.depth() > device.capabilities().maxDepth()) {
            errors.add("depth=" + settings.depth() + ": the driver supports at most "
                    + device.capabilities().maxDepth());
        }
        if (!errors.isEmpty()) {
            throw new IllegalArgumentException("device " + name + " can't be opened: " + String.join("; ", errors));
        }
        Behavior<Object> door = Behaviors.setup(ctx -> Behaviors.withTimers(
                timers -> new DeviceSupervisor(ctx, timers, name, device, runtime, settings, epochs, decorator)));
        return door.narrow();
    }

    private Epoch nextEpoch() {
        contextAlive = true;
        return new Epoch(
                getContext(),
                name,
                epochs.getAsLong(),
                ++incarnations,
                settings,
                device,
                runtime,
                desk,
                getContext().getSelf().narrow(),
                decorator);
    }

    @Override
    public Receive<Object> createReceive() {
        return newReceiveBuilder()
                .onMessage(DeviceCommand.class, this::command)
                .onMessage(DoorMessage.Answer.class, this::answer)
                .onMessage(DoorMessage.Event.class, this::event)
                .onMessage(DoorMessage.StatusParts.class, this::status)
                .onMessage(DoorMessage.Closed.class, this::closed)
                .onMessage(DoorMessage.Failing.class, this::failing)
                .onMessage(DoorMessage.Quarantined.class, this::quarantined)
                .onMessage(ResetDone.class, this::resetDone)
                .onMessage(DriverClosed.class, this::driverClosed)
                .onMessage(CloseTimeout.class, m -> closeTimeout())
                .onMessage(TestHook.class, this::testHook)
                .onSignal(Terminated.class, this::terminated)
                .build();
    }

    // ---- commands

    private Behavior<Object> command(DeviceCommand c) {
        if (c instanceof DeviceCommand.GetStatus s) {
            return statusQuestion(s);
        } else if (c instanceof DeviceCommand.Subscribe s) {
            watchers.add(getContext(), s);
            watched();
            return this;
        } else if (c instanceof DeviceCommand.Unsubscribe u) {
            watchers.remove(getContext(), u.subscriber());
            watched();
            return this;
        } else if (c instanceof DeviceCommand.Close close) {
            return close(close);
        } else if (c instanceof DeviceCommand.Reset reset) {
            return reset(reset);
        }
        Refusal refusal = state.refusalOf(c, name);
        if (refusal == null && owed.size() >= settings.owedCommands()) {
            refusal = Refusal.of(
                    c instanceof DeviceCommand.Submit ? RefusalCode.QUEUE_FULL : RefusalCode.BUSY,
                    "device " + name + " owes " + owed.size() + " answers already (owed-commands="
                            + settings.owedCommands() + ")");
        }
        if (refusal == null
                && c instanceof LocalCommand.RegisterBuild
                && !device.capabilities().hostBuild()) {
            refusal = Refusal.of(
                    RefusalCode.INVALID_ARGUMENT,
                    "device " + name + " builds its graphs itself; register the callable without a host build");
        }
        if (refusal != null) {
            Owed.refuse(c, refusal);
        } else {
            epoch.context().tell(new ContextMessage.Command(owed.add(c), c));
        }
        return this;
    }

    private Behavior<Object> answer(DoorMessage.Answer a) {
        // a frozen epoch answers nothing more: the door answers what is owed at the end of the reset
        if (a.epoch() != epoch.number() || state == DoorState.RESETTING || state == DoorState.FAILED) {
            return this;
        }
        DeviceCommand c = owed.answer(a.token(), a.reply(), a.last());
        if (c != null) {
            failures.told(c, a.reply());
            remember(c, a.reply());
        }
        return this;
    }

    private void remember(DeviceCommand c, Object reply) {
        if (reply instanceof Reply.Registered) {
            CallableSpec spec =
                    c instanceof DeviceCommand.Register r ? r.callable() : ((LocalCommand.RegisterBuild) c).callable();
            callables.put(spec.name(), c);
        } else if (reply instanceof Reply.Unregistered u) {
            callables.remove(u.callable());
        }
    }

    // ---- events and status

    private void watched() {
        if (contextAlive) {
            epoch.context().tell(new ContextMessage.Watched(!watchers.isEmpty()));
        }
    }

    private Behavior<Object> event(DoorMessage.Event e) {
        if (e.epoch() != epoch.number()) {
            return this;
        }
        watchers.tell(e.event());
        if (e.event() instanceof DeviceEvent.Poisoned p && poison == null) {
            poison = p.poison();
            getContext()
                    .getLog()
                    .error(
                            "device={} epoch={} lane poisoned by {} reason={}: {}. Way out: reset the device.",
                            name,
                            Long.toHexString(epoch.number()),
                            p.poison().by(),
                            p.poison().reason(),
                            p.poison().message());
            healthChanged(p.poison().message());
        }
        return this;
    }

    private void healthChanged(String why) {
        watchers.health(epoch.number(), health(), why);
    }

    private Health health() {
        return switch (state) {
            case CLOSED -> Health.CLOSED;
            case FAILED -> Health.FAILED;
            default -> poison != null ? Health.POISONED : Health.OPEN;
        };
    }

    private Behavior<Object> statusQuestion(DeviceCommand.GetStatus s) {
        if (contextAlive && owed.size() < settings.owedCommands()) {
            epoch.context().tell(new ContextMessage.Command(owed.add(s), s));
        } else {
            Owed.status(s, withoutTable());
        }
        return this;
    }

    private Behavior<Object> status(DoorMessage.StatusParts p) {
        if (p.epoch() == epoch.number()) {
            owed.answer(p.token(), withTable(p), true);
        }
        return this;
    }

    private DeviceStatus withTable(DoorMessage.StatusParts p) {
        return Statuses.of(name, state, health(), poison, device, stuck.size(), p);
    }

    private DeviceStatus withoutTable() {
        return Statuses.withoutTable(name, epoch.number(), state, health(), poison, device, stuck.size());
    }

    /** A status of parts that a test kit has read; their epoch is taken to be the current one. */
    private DeviceStatus look(DoorMessage.StatusParts p) {
        return contextAlive
                ? withTable(new DoorMessage.StatusParts(epoch.number(), p.token(), p.ledger(), p.runs()))
                : withoutTable();
    }

    // ---- deaths

    private Behavior<Object> terminated(Terminated t) {
        ActorRef<Void> ref = t.getRef();
        if (stuck.remove(ref)) {
            return this;
        }
        int slot = epoch.slotOf(ref);
        if (slot >= 0) {
            if (state == DoorState.OPEN || state == DoorState.CLOSING) {
                epoch.context().tell(new ContextMessage.SlotDied(slot, "its actor failed"));
                epoch.context().tell(new ContextMessage.SlotReplaced(slot, epoch.replaceSlot(slot)));
            }
        } else if (epoch.isContext(ref)) {
            contextAlive = false;
            statusWithoutTable();
            fail("an actor that held the device's state died");
        } else if (epoch.isIo(ref)) {
            fail("the device's I/O actor died");
        } else {
            watchers.remove(getContext(), ref);
            watched();
        }
        return this;
    }

    private Behavior<Object> quarantined(DoorMessage.Quarantined q) {
        if (q.epoch() == epoch.number()) {
            stuck.add(epoch.slotActor(q.slot()));
        }
        return this;
    }

    private Behavior<Object> failing(DoorMessage.Failing f) {
        if (f.epoch() == epoch.number()) {
            if (f.ioStuck()) {
                stuck.add(epoch.ioActor());
            }
            fail(f.why());
        }
        return this;
    }

    /** Status questions are answered even then; losing the table never looks like an empty one. */
    private void statusWithoutTable() {
        for (DeviceCommand.GetStatus s : owed.takeStatusQuestions()) {
            Owed.status(s, withoutTable());
        }
    }

    private void fail(String why) {
        if (state == DoorState.FAILED || state == DoorState.CLOSED) {
            return;
        }
        boolean closing = state == DoorState.CLOSING;
        boolean resetting = state == DoorState.RESETTING;
        failure = why;
        getContext()
                .getLog()
                .error(
                        "device={} epoch={} failed: {}. Way out: reset the device, or close it.",
                        name,
                        Long.toHexString(epoch.number()),
                        why);
        if (resetting) {
            return;
        }
        state = DoorState.FAILED;
        epoch.context().tell(ContextMessage.Freeze.INSTANCE);
        epoch.stopThreads(stuck);
        // a question under way is owed an answer too, and nothing else here can give it
        statusWithoutTable();
        owed.endAll(
                FailureReason.INTERNAL,
                RefusalCode.DEVICE_FAILED,
                RefusalCode.DEVICE_FAILED,
                RefusalCode.DEVICE_FAILED,
                "device " + name + " failed: " + why + ". Reset it, or close it.");
        healthChanged(why);
        if (closing) {
            closeFailed();
        }
    }

    // ---- reset (F4)

    private Behavior<Object> reset(DeviceCommand.Reset r) {
        // a device that still drains is not closed yet: a reset ends what it waits for (decision 8)
        boolean draining = state == DoorState.CLOSING && pendingReport == null;
        if (state != DoorState.OPEN && state != DoorState.FAILED && !draining) {
            Refusal refusal = state.refusalOf(r, name);
            if (refusal != null) {
                Owed.refuse(r, refusal);
            }
            return this;
        }
        if (stuck.size() > settings.quarantinedThreads()) {
            Owed.tell(
                    r,
                    new Reply.Failed(
                            OperationFailure.RESET_FAILED,
                            stuck.size() + " threads stand in driver calls that never returned "
                                    + "(quarantined-threads=" + settings.quarantinedThreads()
                                    + "); restart the process"));
            return this;
        }
        boolean wasFailed = state == DoorState.FAILED;
        resetter = r;
        state = DoorState.RESETTING;
        if (contextAlive) {
            epoch.context().tell(ContextMessage.Freeze.INSTANCE);
        }
        if (!wasFailed) {
            epoch.stopThreads(stuck);
        }
        long number = epoch.number();
        ActorRef<Object> self = getContext().getSelf();
        runtime.fork("baton-reset-" + name, () -> self.tell(new ResetDone(number, quiet(device))));
        return this;
    }

    /** Reset and close run on threads of their own (R41). */
    private static void attach(Device device) throws DriverException {
        if (device.capabilities().threadAttach()) {
            device.attachThread();
        }
    }

    private static ResetOutcome quiet(Device device) {
        try {
            attach(device);
            ResetOutcome outcome = device.reset();
            return outcome == null ? new ResetOutcome(false, "the driver's reset returned null") : outcome;
        } catch (Exception | LinkageError | AssertionError e) {
            return new ResetOutcome(false, "the driver's reset threw " + e);
        }
    }

    private Behavior<Object> resetDone(ResetDone done) {
        DeviceCommand.Reset asked = resetter;
        if (done.epoch() != epoch.number() || state != DoorState.RESETTING || asked == null) {
            return this;
        }
        resetter = null;
        statusWithoutTable();
        if (!done.outcome().proven()) {
            state = DoorState.FAILED;
            failure = done.outcome().message();
            owed.endAll(
                    FailureReason.INTERNAL,
                    RefusalCode.DEVICE_FAILED,
                    RefusalCode.DEVICE_FAILED,
                    RefusalCode.DEVICE_FAILED,
                    "device " + name + " could not be reset: " + failure + ". Reset it again, or close it.");
            Owed.tell(
                    asked,
                    new Reply.Failed(
                            OperationFailure.RESET_FAILED,
                            "reset of device " + name + ": " + failure
                                    + ". Its marks and memory stay; another reset may succeed."));
            healthChanged(failure);
            if (!closers.isEmpty()) {
                closeFailed();
            }
            return this;
        }
        epoch.stopContext();
        owed.endAll(
                FailureReason.RESET,
                RefusalCode.RESETTING,
                RefusalCode.STALE_BUFFER,
                RefusalCode.RESETTING,
                "device " + name + " was reset");
        poison = null;
        failure = "";
        failures.nextEpoch();
        boolean closing = !closers.isEmpty();
        state = closing ? DoorState.CLOSING : DoorState.OPEN;
        epoch = nextEpoch();
        watched();
        for (DeviceCommand c : callables.values()) {
            // owed to nobody: its answer finds no token
            epoch.context().tell(new ContextMessage.Command(0, c));
        }
        Owed.tell(asked, new Reply.ResetDone(epoch.number()));
        healthChanged("reset");
        if (closing) {
            epoch.context().tell(ContextMessage.Close.INSTANCE);
        }
        return this;
    }

    // ---- close (F3)

    private Behavior<Object> close(DeviceCommand.Close c) {
        Reply.Closed report = closed;
        if (report != null) {
            Owed.tell(c, report);
            return this;
        }
        if (state == DoorState.RESETTING) {
            Refusal refusal = state.refusalOf(c, name);
            if (refusal != null) {
                Owed.refuse(c, refusal);
            }
            return this;
        }
        if (closers.size() >= settings.drainWaiters()) {
            Owed.refuse(
                    c,
                    Refusal.of(
                            RefusalCode.BUSY,
                            "close: " + closers.size() + " clients wait for it already (drain-waiters="
                                    + settings.drainWaiters() + ")"));
            return this;
        }
        closers.add(c);
        if (state == DoorState.OPEN) {
            state = DoorState.CLOSING;
            epoch.context().tell(ContextMessage.Close.INSTANCE);
            if (settings.closeTimeout() != null) {
                timers.startSingleTimer(CloseTimeout.INSTANCE, settings.closeTimeout());
            }
        } else if (state == DoorState.FAILED) {
            closeFailed();
        }
        return this;
    }

    private Behavior<Object> closeTimeout() {
        if (state == DoorState.CLOSING) {
            epoch.context().tell(ContextMessage.CloseNow.INSTANCE);
        }
        return this;
    }

    /** A failed device closes at once: nothing of it can be proven, so everything is left as it is. */
    private void closeFailed() {
        finishClose(new Reply.Closed(
                List.of(),
                List.of(),
                List.of(),
                poison,
                "the device had failed (" + failure + "): its memory and context are left as they are"));
    }

    private Behavior<Object> closed(DoorMessage.Closed c) {
        if (c.epoch() != epoch.number() || state != DoorState.CLOSING) {
            return this;
        }
        epoch.stopThreads(stuck);
        if (!c.destroyable()) {
            finishClose(c.report());
            return this;
        }
        pendingReport = c.report();
        ActorRef<Object> self = getContext().getSelf();
        runtime.fork("baton-close-" + name, () -> self.tell(new DriverClosed(destroy(device))));
        return this;
    }

    private static String destroy(Device device) {
        try {
            attach(device);
            device.close();
            return "";
        } catch (Exception | LinkageError | AssertionError e) {
            return "the driver's close failed: " + e;
        }
    }

    private Behavior<Object> driverClosed(DriverClosed d) {
        Reply.Closed r = pendingReport;
        if (r != null && state == DoorState.CLOSING) {
            finishClose(
                    d.problem().isEmpty()
                            ? r
                            : new Reply.Closed(
                                    r.stillAllocated(), r.unreleasable(), r.quarantined(), r.poison(), d.problem()));
        }
        return this;
    }

    private void finishClose(Reply.Closed report) {
        closed = report;
        state = DoorState.CLOSED;
        timers.cancelAll();
        statusWithoutTable();
        contextAlive = false;
        epoch.stopContext();
        owed.endAll(
                FailureReason.CLOSED,
                RefusalCode.CLOSED,
                RefusalCode.CLOSED,
                RefusalCode.CLOSED,
                "device " + name + " was closed without waiting");
        failures.closed(report);
        for (DeviceCommand.Close c : closers) {
            Owed.tell(c, report);
        }
        closers.clear();
        healthChanged("closed");
    }

    private Behavior<Object> testHook(TestHook hook) {
        epoch.context().tell(hook.message());
        return this;
    }

    /** Lets a test kit reach the epoch's context. */
    public record TestHook(ContextMessage message) {}
}
