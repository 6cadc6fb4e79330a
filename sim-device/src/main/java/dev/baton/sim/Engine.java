package dev.baton.sim;

import dev.baton.protocol.driver.CallAborted;
import dev.baton.protocol.driver.CompletionListener;
import dev.baton.protocol.driver.Task;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one operator of the device: executes launched runs one after another, on a thread that lives while there is something to
 * execute. A run starts in the turn in which it is launched, if the device is idle, and else in the turn in which the one before
 * ends.
 *
 * <p>Time on the device is the device's own: a run that was launched before the one ahead of it ended starts in the moment in which
 * that one ends, however late a host thread hears of it, as on hardware with a queue.
 */
final class Engine {
    private final SimCore core;
    private final Deque<SimRun> queue = new ArrayDeque<>();
    private volatile @Nullable SimRun executing;
    private boolean active;
    private boolean lingering;

    private enum Kick {
        FORK,
        SIGNAL,
        NOTHING
    }

    Engine(SimCore core) {
        this.core = core;
    }

    /** Takes a launched run in; inside the gate, {@link #kick} follows outside. */
    void place(SimRun run) {
        run.state = RunState.QUEUED;
        run.startsAt = core.runtime.nanoTime();
        if (executing == null) {
            start(run);
        } else {
            queue.add(run);
        }
    }

    private void start(SimRun run) {
        run.state = RunState.EXECUTING;
        run.executeFault = core.faults.at(run.name(), Point.EXECUTE);
        run.executeStop = core.holds.arrive(run.at(Point.EXECUTE));
        executing = run;
        core.log("start", run.name());
        core.tell(o -> o.started(run.plan));
    }

    /** Takes a run off that does not execute; inside the gate. */
    void takeOff(SimRun run) {
        if (run.state != RunState.EXECUTING && run.state != RunState.ENDED) {
            queue.remove(run);
            run.state = RunState.OFF;
        }
    }

    /** Drops everything; inside the gate, after the generation was raised. */
    void drop() {
        queue.clear();
        executing = null;
        active = false;
        lingering = false;
    }

    /** Sees to it that a thread does what there is to do. */
    void kick() {
        int gen = core.generation;
        Kick kick = core.gate.get(() -> {
            if (gen != core.generation || !waits()) {
                return Kick.NOTHING;
            }
            if (active) {
                return lingering ? Kick.SIGNAL : Kick.NOTHING;
            }
            active = true;
            return Kick.FORK;
        });
        if (kick == Kick.SIGNAL) {
            core.runtime.signal();
        } else if (kick == Kick.FORK) {
            boolean forked = false;
            try {
                core.runtime.fork("sim-device", () -> loop(gen));
                forked = true;
            } finally {
                if (!forked) {
                    inactive(gen);
                }
            }
        }
    }

    /** Whether a started run can go on. */
    private boolean waits() {
        SimRun run = executing;
        return run != null && run.runnable();
    }

    private void inactive(int gen) {
        core.gate.run(() -> active &= gen != core.generation);
    }

    private void loop(int gen) {
        boolean idle = false;
        try {
            for (SimRun run = next(gen); run != null; run = next(gen)) {
                execute(run, gen);
            }
            idle = true;
        } finally {
            if (!idle) {
                inactive(gen);
            }
        }
    }

    /** The run to execute; null ends the thread. */
    private @Nullable SimRun next(int gen) {
        long linger = core.settings.lingerNanos();
        SimRun run = current(gen, linger > 0);
        if (run == null && linger > 0 && gen == core.generation) {
            core.runtime.await(() -> gen != core.generation || waits(), linger);
            run = current(gen, false);
        }
        return run;
    }

    private @Nullable SimRun current(int gen, boolean stays) {
        return core.gate.get(() -> {
            if (gen != core.generation) {
                return null;
            }
            SimRun run = waits() ? executing : null;
            lingering = run == null && stays;
            active = run != null || stays;
            return run;
        });
    }

    private void execute(SimRun run, int gen) {
        long nanos = 0;
        for (Task task : run.tasks) {
            nanos += core.settings.nanosOf(task);
        }
        long endsAt = (run.executeStop == null ? run.startsAt : core.runtime.nanoTime()) + nanos;
        if (nanos > 0) {
            core.runtime.await(() -> core.generation != gen, endsAt - core.runtime.nanoTime());
        }
        if (gen == core.generation) {
            Execution execution = new Execution(core, run);
            String failure = execution.perform();
            for (SimRun ended :
                    end(run, failure, execution.touches(), nanos > 0 ? endsAt : core.runtime.nanoTime(), gen)) {
                tell(ended);
            }
        }
    }

    /** Ends a run and starts the next in one turn; the runs that ended. */
    private List<SimRun> end(SimRun run, @Nullable String failure, List<Touch> touches, long at, int gen) {
        List<SimRun> ended = new ArrayList<>();
        core.gate.enter();
        try {
            if (gen != core.generation) {
                return ended;
            }
            executing = null;
            end(run, failure, touches);
            ended.add(run);
            while (failure != null && core.capabilities.cancelsBehindFailure() && !queue.isEmpty()) {
                SimRun behind = queue.remove();
                behind.end("run " + behind.name() + " was dropped because run " + run.name() + " failed before it");
                ended.add(behind);
            }
            SimRun next = queue.poll();
            if (next != null) {
                next.startsAt = Math.max(next.startsAt, at);
                start(next);
            }
        } finally {
            core.gate.leave();
        }
        core.runtime.signal();
        return ended;
    }

    private void end(SimRun run, @Nullable String failure, List<Touch> touches) {
        core.log("end", run.name());
        if (core.settings.keepLog()) {
            core.executed.add(run.name());
        }
        core.tell(o -> o.ended(run.plan, failure, touches));
        run.end(failure);
    }

    private void tell(SimRun run) {
        CompletionListener listener = run.listener;
        try {
            if (listener != null) {
                listener.ended();
            }
        } catch (CallAborted e) {
            throw e;
        } catch (RuntimeException | Error e) {
            core.gate.run(() -> core.watch.breach("the listener of run " + run.name() + " threw " + e));
        }
    }
}
