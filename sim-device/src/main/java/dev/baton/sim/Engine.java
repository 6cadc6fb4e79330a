package dev.baton.sim;

import dev.baton.protocol.DataType;
import dev.baton.protocol.Role;
import dev.baton.protocol.driver.CallAborted;
import dev.baton.protocol.driver.CompletionListener;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.PlannedArgument;
import dev.baton.protocol.driver.Task;
import dev.baton.protocol.driver.Task.TaskArgument;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The one operator of the device: executes launched runs one after another. */
final class Engine {
    private final SimCore core;
    private final Deque<SimRun> queue = new ArrayDeque<>();
    private @Nullable SimRun executing;
    private boolean active;

    Engine(SimCore core) {
        this.core = core;
    }

    /** Takes a launched run in; inside the gate, {@link #kick} follows outside. Whether it started at once. */
    boolean place(SimRun run) {
        run.state = SimRun.State.QUEUED;
        if (executing != null) {
            queue.add(run);
            return false;
        }
        start(run);
        return true;
    }

    private void start(SimRun run) {
        executing = run;
        run.state = SimRun.State.EXECUTING;
        core.log("start", run.name());
        run.executeFault = core.faults.at(run.name(), Point.EXECUTE);
        run.executeStop = core.holds.arrive(run.at(Point.EXECUTE));
    }

    /** Takes a run off that does not execute; inside the gate. */
    void takeOff(SimRun run) {
        if (run.state != SimRun.State.EXECUTING && run.state != SimRun.State.ENDED) {
            queue.remove(run);
            run.state = SimRun.State.OFF;
        }
    }

    /** Drops everything; inside the gate, after the generation was raised. */
    void drop() {
        queue.clear();
        executing = null;
        active = false;
    }

    /** Starts the engine's thread if there is something to do for it. */
    void kick() {
        int gen = core.generation;
        boolean fork = core.gate.get(() -> {
            SimRun run = executing;
            boolean idle = gen == core.generation && !active && run != null && run.runnable();
            active |= idle;
            return idle;
        });
        if (fork) {
            core.runtime.fork("sim-device", () -> loop(gen));
        }
    }

    private @Nullable SimRun current(int gen) {
        core.gate.enter();
        try {
            if (gen != core.generation) {
                return null;
            }
            SimRun run = executing;
            active = run != null && run.runnable();
            return active ? run : null;
        } finally {
            core.gate.leave();
        }
    }

    private void loop(int gen) {
        long nanos = core.settings.kernelNanos();
        for (SimRun run = current(gen); run != null; run = current(gen)) {
            if (nanos > 0) {
                core.runtime.await(() -> core.generation != gen, nanos);
            }
            if (gen == core.generation) {
                end(run, effects(run), gen);
            }
        }
    }

    private void end(SimRun run, @Nullable String failure, int gen) {
        List<SimRun> ended = new ArrayList<>();
        SimRun next;
        core.gate.enter();
        try {
            if (gen != core.generation) {
                return;
            }
            executing = null;
            run.end(failure);
            core.log("end", run.name());
            ended.add(run);
            while (failure != null && core.capabilities.cancelsBehindFailure() && !queue.isEmpty()) {
                SimRun behind = queue.remove();
                behind.end("was dropped because run " + run.name() + " failed before it");
                ended.add(behind);
            }
            next = queue.poll();
            if (next != null) {
                start(next);
            }
        } finally {
            core.gate.leave();
        }
        if (core.settings.keepLog()) {
            core.executed.add(run.name());
        }
        core.observer.ended(run.name(), failure == null);
        if (next != null) {
            core.observer.started(next.name());
        }
        core.runtime.signal();
        for (SimRun r : ended) {
            tell(r);
        }
    }

    private void tell(SimRun run) {
        CompletionListener listener = run.listener;
        if (listener != null) {
            try {
                listener.ended();
            } catch (CallAborted e) {
                throw e;
            } catch (RuntimeException e) {
                core.gate.run(() -> core.watch.breach("the listener of run " + run.name() + " threw " + e));
            }
        }
    }

    /** Does what the run does; the sentence of its fault, or null. */
    private @Nullable String effects(SimRun run) {
        if (run.executeFault == Fault.ERROR) {
            for (int i = 0; i < run.plan.arguments().size(); i++) {
                if (run.plan.arguments().get(i) instanceof PlannedArgument.OnDevice d && d.role() == Role.OUT) {
                    device(run, i, d).scribble(Patterns.SCRIBBLE);
                }
            }
            return "run " + run.name() + ": simulated failure while executing";
        }
        try {
            for (Task task : run.tasks) {
                List<KernelCall.Slot> slots = new ArrayList<>();
                for (TaskArgument a : task.arguments()) {
                    slots.add(slot(run, a));
                }
                core.kernels
                        .get(task.kernel())
                        .code()
                        .run(new KernelCall(run.name(), slots, task.grid(), () -> run.generation != core.generation));
            }
            return null;
        } catch (CallAborted e) {
            throw e;
        } catch (KernelFault e) {
            return String.valueOf(e.getMessage());
        } catch (Exception | Error e) {
            return "run " + run.name() + ": its kernel threw " + e;
        }
    }

    private KernelCall.Slot slot(SimRun run, TaskArgument argument) {
        if (argument instanceof TaskArgument.Value v) {
            return new KernelCall.Slot(null, v.scalar());
        }
        if (argument instanceof TaskArgument.Scratch s) {
            return new KernelCall.Slot(
                    new Operand(
                            "run " + run.name() + ", scratch",
                            Role.INOUT,
                            DataType.F32,
                            s.address(),
                            List.of(s.bytes() / Float.BYTES),
                            List.of(),
                            lookup(run)),
                    null);
        }
        int index = ((TaskArgument.OfRun) argument).index();
        PlannedArgument planned = run.plan.arguments().get(index);
        if (planned instanceof PlannedArgument.Value v) {
            return new KernelCall.Slot(null, v.scalar());
        }
        if (planned instanceof PlannedArgument.OnDevice d) {
            return new KernelCall.Slot(device(run, index, d), null);
        }
        PlannedArgument.Staged s = (PlannedArgument.Staged) planned;
        HostMemory memory = run.stages.getOrDefault(index, s.staging());
        Allocation stage = new Allocation(Allocation.Kind.STAGE, 0, memory.size(), memory);
        Operand.Lookup lookup = (at, bytes) -> stage.covers(at, bytes) ? stage : null;
        return new KernelCall.Slot(
                new Operand(name(run, index), s.role(), s.type(), 0, s.shape(), List.of(), lookup), null);
    }

    private Operand device(SimRun run, int index, PlannedArgument.OnDevice d) {
        return new Operand(name(run, index), d.role(), d.type(), d.address(), d.shape(), d.strides(), lookup(run));
    }

    private Operand.Lookup lookup(SimRun run) {
        return (at, bytes) -> core.memory.find(at, bytes, run.generation);
    }

    private static String name(SimRun run, int index) {
        return "run " + run.name() + ", argument " + index;
    }
}
