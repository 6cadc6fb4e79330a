package dev.baton.sim;

import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.IncompatibleException;
import dev.baton.protocol.driver.PlannedArgument;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.Task;
import dev.baton.protocol.driver.Task.TaskArgument;
import java.util.List;

/** A preparation on the simulated device. */
final class SimAttempt implements Preparation {
    private final SimCore core;
    private final SimRun run;

    SimAttempt(SimCore core, SimRun run) {
        this.core = core;
        this.run = run;
    }

    @Override
    public void emit(Task task) throws DriverException {
        Kernels.Known known = core.kernels.get(task.kernel());
        String shape = known.shape();
        List<TaskArgument> arguments = task.arguments();
        if (shape != null && arguments.size() != shape.length()) {
            throw new DriverException(
                    "kernel " + task.kernel() + " takes " + shape.length() + " arguments, not " + arguments.size());
        }
        for (int i = 0; i < arguments.size(); i++) {
            boolean scalar = isScalar(arguments.get(i));
            if (shape != null && scalar != (shape.charAt(i) == 's')) {
                throw new DriverException(
                        "kernel " + task.kernel() + ": argument " + i + " must be a " + (scalar ? "tensor" : "scalar"));
            }
        }
        checkScratch(task);
        open(() -> run.tasks.add(task));
    }

    private void checkScratch(Task task) throws DriverException {
        for (TaskArgument a : task.arguments()) {
            if (a instanceof TaskArgument.Scratch s && !core.gate.get(() -> run.ownsScratch(s.address(), s.bytes()))) {
                throw new DriverException("kernel " + task.kernel() + ": " + s.bytes() + " bytes at "
                        + Operand.hex(s.address()) + " are no scratch memory of run " + run.name());
            }
        }
    }

    private boolean isScalar(TaskArgument argument) throws DriverException {
        if (argument instanceof TaskArgument.OfRun of) {
            List<PlannedArgument> planned = run.plan.arguments();
            if (of.index() < 0 || of.index() >= planned.size()) {
                throw new DriverException("run " + run.name() + " has no argument " + of.index());
            }
            return planned.get(of.index()) instanceof PlannedArgument.Value;
        }
        return argument instanceof TaskArgument.Value;
    }

    @Override
    public long scratch(long bytes) throws DriverException {
        open(() -> {});
        Allocation a =
                core.memory.allocate(Allocation.Kind.SCRATCH, "scratch of run " + run.name(), bytes, run.generation);
        core.gate.run(() -> run.scratch.add(a));
        return a.address;
    }

    private void open(Runnable body) throws DriverException {
        core.gate.enter();
        try {
            core.check(run.generation);
            if (run.state != RunState.PREPARING || run.ending) {
                core.watch.breach("the preparation of run " + run.name() + " was used after its end");
                throw new DriverException("the preparation of run " + run.name() + " is over");
            }
            body.run();
        } finally {
            core.gate.leave();
        }
    }

    @Override
    public PreparedRun prepare() throws DriverException {
        core.checkThread();
        int gen = run.generation;
        open(() -> {});
        core.hold(run.at(Point.PREPARE), gen);
        core.spend(core.settings.prepareNanos(), gen);
        Fault fault = core.fault(run, Point.PREPARE);
        if (fault == Fault.ERROR) {
            throw new DriverException("run " + run.name() + ": simulated failure of prepare");
        }
        if (fault == Fault.INCOMPATIBLE && run.plan.early()) {
            throw new IncompatibleException("run " + run.name() + " can't be prepared beside others");
        }
        for (int i = 0; i < run.plan.arguments().size(); i++) {
            if (run.plan.arguments().get(i) instanceof PlannedArgument.Staged s) {
                long bytes = s.staging().size();
                HostMemory stage = HostMemory.allocate(bytes);
                HostMemory.copy(s.staging(), 0, stage, 0, bytes); // of OUT too: what a build wrote is there
                run.stages.put(i, stage);
            }
        }
        open(() -> {
            run.state = RunState.PREPARED;
            core.tell(o -> o.prepared(run.plan));
        });
        return new SimPreparedRun(core, run);
    }

    @Override
    public void abort() throws DriverException {
        core.checkThread();
        open(() -> run.ending = true);
        core.hold(run.at(Point.CLEANUP), run.generation);
        if (core.fault(run, Point.CLEANUP) == Fault.ERROR) {
            core.gate.run(() -> {
                run.unproven = true;
                core.tell(o -> o.aborted(run.plan, false));
            });
            throw new DriverException("run " + run.name() + ": simulated failure of abort");
        }
        core.memory.release(run);
        core.gate.run(() -> {
            run.state = RunState.OFF;
            if (core.runs.remove(run.plan.run(), run)) {
                core.tell(o -> o.aborted(run.plan, true));
            }
        });
    }
}
