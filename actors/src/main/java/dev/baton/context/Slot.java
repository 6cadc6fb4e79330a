package dev.baton.context;

import dev.baton.build.BuildLatch;
import dev.baton.build.BuildSession;
import dev.baton.build.DeviceWrite;
import dev.baton.lane.FailurePolicy.Happening;
import dev.baton.ledger.RunWork;
import dev.baton.protocol.HostTensor;
import dev.baton.protocol.build.HostBuild;
import dev.baton.protocol.driver.CallAborted;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.Finalization;
import dev.baton.protocol.driver.IncompatibleException;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.Progress;
import dev.baton.protocol.driver.RunPlan;
import dev.baton.protocol.driver.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * Carries one run at a time through the driver: prepare, launch, wait, finalize, copy back. May block; it waits in bounded steps
 * and hears what it is told between them, and never decides: the lane does. Plain and single-threaded.
 */
final class Slot {
    private final Device device;
    private final DeviceRuntime runtime;
    private final ActorRef<BuildDesk.Command> desk;
    private final ActorRef<Object> nobody;
    private final SlotPort port;
    private final long waitStepNanos;
    private final boolean blocking;
    private boolean attached;
    private @Nullable Carried carried;

    /** The run in the slot. */
    private static final class Carried {
        final RunWork work;
        final int attempt;
        final Consumer<LaneMessage> lane;
        final Staging staging;

        @Nullable
        BuildSession session;

        @Nullable
        PreparedRun prepared;

        List<DeviceWrite> writes = List.of();
        boolean waiting;

        Carried(RunWork work, int attempt, Consumer<LaneMessage> lane, Staging staging) {
            this.work = work;
            this.attempt = attempt;
            this.lane = lane;
            this.staging = staging;
        }

        long run() {
            return work.number();
        }

        /** Everything that this run gave the device, to be held if it ends unproven (L7). */
        List<Object> held() {
            List<Object> held = new ArrayList<>(List.of(staging, this));
            if (prepared != null) {
                held.add(prepared);
            }
            return held;
        }
    }

    /**
     * One slot.
     *
     * @param nobody hears what builds want nobody to hear
     * @param waitStep longest time that one step waits for a run's end, on a driver that may block
     */
    Slot(
            Device device,
            DeviceRuntime runtime,
            ActorRef<BuildDesk.Command> desk,
            ActorRef<Object> nobody,
            Duration waitStep,
            SlotPort port) {
        this.device = device;
        this.runtime = runtime;
        this.desk = desk;
        this.nobody = nobody;
        this.port = port;
        this.waitStepNanos = waitStep.toNanos();
        this.blocking = !device.capabilities().nonBlocking();
        this.attached = !device.capabilities().threadAttach();
    }

    /** One step. What a driver or a build throws is reported; what comes out of here is the slot's own death. */
    void step(SlotMessage m) {
        if (m instanceof SlotMessage.Prepare p) {
            prepare(p);
        } else if (m instanceof SlotMessage.Launch l) {
            launch(l.run());
        } else if (m instanceof SlotMessage.KeepWaiting k) {
            keepWaiting(k.run(), waitStepNanos);
        } else if (m instanceof SlotMessage.AskNow a) {
            keepWaiting(a.run(), 0);
        } else if (m instanceof SlotMessage.FinalizeRun f) {
            finalizeRun(f.run());
        } else if (m instanceof SlotMessage.StopWaiting w) {
            finalizeRun(w.run());
        } else if (m instanceof SlotMessage.CopyBack c) {
            copyBack(c.run());
        }
    }

    private @Nullable Carried current(long run) {
        Carried c = carried;
        return c != null && c.run() == run ? c : null;
    }

    // ---- prepare

    private void prepare(SlotMessage.Prepare m) {
        RunWork work = m.work();
        Staging staging = Staging.of(work);
        Carried c = new Carried(work, m.attempt(), m.lane(), staging);
        carried = c;
        Preparation preparation;
        try {
            if (!attached) {
                device.attachThread();
                attached = true;
            }
            RunPlan plan = new RunPlan(
                    work.id(),
                    work.name(),
                    work.callable().spec(),
                    m.attempt(),
                    staging.planned(),
                    work.exclusive(),
                    m.early());
            preparation = device.begin(plan);
        } catch (CallAborted dying) {
            throw dying;
        } catch (Exception | LinkageError | AssertionError | StackOverflowError | OutOfMemoryError e) {
            prepareFailed(c, Happening.PREPARE_FAILED, "prepare", Causes.text(e));
            return;
        }
        if (preparation == null) {
            prepareFailed(c, Happening.PREPARE_FAILED, "prepare", "the driver's begin returned null");
            return;
        }
        if (compose(c, preparation, m)) {
            prepare(c, preparation, m.early());
        }
    }

    /** Emits the run's tasks; false if the attempt is over. */
    private boolean compose(Carried c, Preparation preparation, SlotMessage.Prepare m) {
        HostBuild build = c.work.callable().build();
        if (build == null) {
            try {
                preparation.emit(ownTask(c.work));
                return true;
            } catch (CallAborted dying) {
                throw dying;
            } catch (Exception | LinkageError | AssertionError | StackOverflowError | OutOfMemoryError e) {
                abort(
                        c,
                        preparation,
                        Causes.text(e),
                        () -> prepareFailed(c, Happening.PREPARE_FAILED, "prepare", Causes.text(e)));
                return false;
            }
        }
        c.lane.accept(new LaneMessage.BuildBegan(c.run(), c.attempt));
        BuildSession session = new BuildSession(
                c.attempt,
                c.work.name(),
                c.work.callable().spec().kernel(),
                c.staging.buildArguments(),
                m.fence(),
                device,
                preparation,
                runtime,
                new DeskServices(desk, nobody, runtime));
        c.session = session;
        session.run(build);
        c.lane.accept(new LaneMessage.BuildEnded(c.run(), c.attempt));
        BuildLatch.Cause cause = session.cause();
        if (cause != null) {
            abort(c, preparation, told(cause), () -> buildOver(c, cause));
            return false;
        }
        session.applyToStaging();
        c.writes = session.deviceWrites();
        return true;
    }

    private static Task ownTask(RunWork work) {
        List<Task.TaskArgument> arguments = new ArrayList<>(work.arguments().size());
        for (int i = 0; i < work.arguments().size(); i++) {
            arguments.add(new Task.TaskArgument.OfRun(i));
        }
        return new Task(work.callable().spec().kernel(), arguments, List.of());
    }

    private void prepare(Carried c, Preparation preparation, boolean early) {
        PreparedRun prepared;
        try {
            prepared = preparation.prepare();
        } catch (CallAborted dying) {
            throw dying;
        } catch (IncompatibleException e) {
            abort(c, preparation, Causes.text(e), () -> {
                if (early) {
                    c.lane.accept(new LaneMessage.Deferred(c.run(), c.attempt, null, "the front: " + Causes.text(e)));
                } else {
                    prepareFailed(c, Happening.PREPARE_FAILED, "prepare", Causes.text(e));
                }
            });
            return;
        } catch (Exception | LinkageError | AssertionError | StackOverflowError | OutOfMemoryError e) {
            abort(
                    c,
                    preparation,
                    Causes.text(e),
                    () -> prepareFailed(c, Happening.PREPARE_FAILED, "prepare", Causes.text(e)));
            return;
        }
        if (prepared == null) {
            abort(
                    c,
                    preparation,
                    "the driver's prepare returned null",
                    () -> prepareFailed(c, Happening.PREPARE_FAILED, "prepare", "the driver's prepare returned null"));
            return;
        }
        c.prepared = prepared;
        c.lane.accept(new LaneMessage.Prepared(c.run(), c.attempt, c.session == null ? "" : c.session.emitted()));
    }

    /** Gives back what the attempt took; if that fails the run has ended unproven (B7). */
    private void abort(Carried c, Preparation preparation, String why, Runnable whenClean) {
        BuildSession session = c.session;
        if (session != null) {
            session.allocated().forEach(a -> desk.tell(new BuildDesk.Release(a.device(), a.buffer())));
        }
        try {
            preparation.abort();
        } catch (CallAborted dying) {
            throw dying;
        } catch (Exception | LinkageError | AssertionError | StackOverflowError | OutOfMemoryError e) {
            c.lane.accept(new LaneMessage.CleanupFailed(
                    c.run(),
                    c.attempt,
                    "releasing what the attempt took failed: " + Causes.text(e) + "; the attempt was given up because: "
                            + why,
                    c.held()));
            return;
        }
        whenClean.run();
    }

    private void prepareFailed(Carried c, Happening what, String operation, String message) {
        carried = null;
        c.lane.accept(new LaneMessage.PrepareFailed(c.run(), c.attempt, what, operation, message, null));
    }

    /** The cause of the latched failure decides alone (B4 to B6). */
    private void buildOver(Carried c, BuildLatch.Cause cause) {
        carried = null;
        String in = c.session == null ? "" : c.session.failedIn();
        if (cause instanceof BuildLatch.Cause.NotProduced n) {
            String what = in.isEmpty() ? "a value" : "in scope " + in + ", a value";
            c.lane.accept(new LaneMessage.Deferred(c.run(), c.attempt, n.by(), what));
            return;
        }
        Happening what = Happening.BUILD_FAILED;
        dev.baton.protocol.Holder by = null;
        if (cause instanceof BuildLatch.Cause.Predecessor p) {
            what = Happening.READ_VOID_BYTES;
            by = p.by();
        }
        String message = told(cause);
        String told = in.isEmpty() ? message : "in scope " + in + ": " + message;
        c.lane.accept(new LaneMessage.PrepareFailed(c.run(), c.attempt, what, "build", told, by));
    }

    /** Why a build is over, for people. */
    private static String told(BuildLatch.Cause cause) {
        if (cause instanceof BuildLatch.Cause.NotProduced n) {
            return "the build needs a value that " + n.by() + " has not produced yet";
        }
        if (cause instanceof BuildLatch.Cause.Own own) {
            return own.message();
        }
        if (cause instanceof BuildLatch.Cause.Predecessor p) {
            return "the build reads bytes that " + p.by() + " should have written: " + p.why();
        }
        if (cause instanceof BuildLatch.Cause.Unproven u) {
            return "the build reads bytes that " + u.by() + " may still write: " + u.why();
        }
        return ((BuildLatch.Cause.NotCovered) cause).why();
    }

    // ---- launch and wait

    private void launch(long run) {
        Carried c = current(run);
        if (c == null || c.prepared == null) {
            return;
        }
        PreparedRun prepared = c.prepared;
        try {
            for (DeviceWrite w : c.writes) {
                prepared.write(w.address(), w.bytes(), w.bytes().size());
            }
            prepared.launch(blocking ? () -> {} : port.asking(run));
        } catch (CallAborted dying) {
            throw dying;
        } catch (Exception | LinkageError | AssertionError | StackOverflowError | OutOfMemoryError e) {
            c.lane.accept(new LaneMessage.LaunchFailed(run, c.attempt, Causes.text(e)));
            finalizeRun(run);
            return;
        }
        c.lane.accept(new LaneMessage.Launched(run, c.attempt));
        c.waiting = true;
        if (blocking) {
            port.keepWaiting(run);
        } else if (!port.netIsUp()) {
            port.net(run);
        }
    }

    private void keepWaiting(long run, long limitNanos) {
        Carried c = current(run);
        if (c == null || c.prepared == null || !c.waiting) {
            Carried other = carried;
            if (!blocking && other != null && other.waiting && !port.netIsUp()) {
                // it was the net of a run before: the one that is carried now needs it
                port.net(other.run());
            }
            return;
        }
        Progress progress;
        try {
            progress = c.prepared.await(limitNanos);
        } catch (CallAborted dying) {
            throw dying;
        } catch (Exception | LinkageError | AssertionError | StackOverflowError | OutOfMemoryError e) {
            c.lane.accept(new LaneMessage.PollFailed(run, c.attempt, Causes.text(e)));
            finalizeRun(run);
            return;
        }
        if (progress == null) {
            c.lane.accept(new LaneMessage.PollFailed(run, c.attempt, "the driver's await returned null"));
            finalizeRun(run);
            return;
        }
        if (progress.state() == Progress.State.RUNNING) {
            if (blocking) {
                port.keepWaiting(run);
            } else {
                port.net(run);
            }
            return;
        }
        String failure = null;
        if (progress.state() == Progress.State.FAILED) {
            failure = progress.cause() == null ? "the device gave no cause" : progress.cause();
        }
        c.lane.accept(new LaneMessage.Executed(run, c.attempt, failure));
        finalizeRun(run);
        return;
    }

    // ---- finalize

    private void finalizeRun(long run) {
        Carried c = current(run);
        if (c == null || c.prepared == null) {
            return;
        }
        PreparedRun prepared = c.prepared;
        c.waiting = false;
        Finalization outcome;
        try {
            outcome = prepared.finalizeRun();
        } catch (CallAborted dying) {
            throw dying;
        } catch (Exception | LinkageError | AssertionError | StackOverflowError | OutOfMemoryError e) {
            outcome = Finalization.unproven(Causes.text(e));
        }
        if (outcome == null) {
            outcome = Finalization.unproven("the driver's finalize returned null");
        }
        boolean unproven = outcome.outcome() == Finalization.Outcome.UNPROVEN;
        List<Object> held = unproven ? c.held() : List.of();
        c.prepared = null;
        List<HostTensor> outputs =
                outcome.outcome() == Finalization.Outcome.COMPLETED ? c.staging.outputs() : List.of();
        c.lane.accept(new LaneMessage.Finalized(run, c.attempt, outcome, outputs, held));
        if (!c.work.hostOutputs()) {
            carried = null;
        }
    }

    private void copyBack(long run) {
        Carried c = current(run);
        if (c != null) {
            carried = null;
            String failure = null;
            try {
                c.staging.copyBack(device);
            } catch (CallAborted dying) {
                throw dying;
            } catch (Exception | LinkageError | AssertionError | StackOverflowError | OutOfMemoryError e) {
                failure = Causes.text(e);
            }
            c.lane.accept(new LaneMessage.CopiedBack(run, c.attempt, failure));
        }
    }
}
