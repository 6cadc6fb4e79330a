package dev.baton.sim;

import dev.baton.protocol.driver.CompletionListener;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.Finalization;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.PlannedArgument;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.Progress;

/** A prepared run on the simulated device. */
final class SimPreparedRun implements PreparedRun {
    private final SimCore core;
    private final SimRun run;
    private final int gen;

    SimPreparedRun(SimCore core, SimRun run) {
        this.core = core;
        this.run = run;
        this.gen = run.generation;
    }

    @Override
    public void write(long address, HostMemory from, long bytes) throws DriverException {
        core.checkThread();
        Allocation a;
        core.gate.enter();
        try {
            core.check(gen);
            demandPrepared("written to");
            a = core.memory.demand("write of run " + run.name(), address, bytes, gen);
            core.watch.runWriting(core.runs.values(), run, address, bytes);
        } finally {
            core.gate.leave();
        }
        HostMemory.copy(from, 0, a.memory, address - a.address, bytes);
    }

    /** Inside the gate. */
    private void demandPrepared(String what) throws DriverException {
        if (run.state != SimRun.State.PREPARED || run.launched || run.ending) {
            core.watch.breach("run " + run.name() + " was " + what + " in state " + run.state);
            throw new DriverException("run " + run.name() + " can't be " + what + " in state " + run.state);
        }
    }

    @Override
    public void launch(CompletionListener listener) throws DriverException {
        core.checkThread();
        boolean error;
        boolean started = false;
        Stop stop;
        core.gate.enter();
        try {
            core.check(gen);
            core.log("launch", run.name());
            demandPrepared("launched");
            core.watch.launchBegins(core.runs.values(), run, core.capabilities.joinedLaunch());
            run.launched = true;
            run.listener = listener;
            error = core.faults.at(run.name(), Point.LAUNCH) == Fault.ERROR;
            stop = core.holds.arrive(run.at(Point.LAUNCH));
            if (stop == null && !error) {
                started = core.engine.place(run);
            }
        } finally {
            core.gate.leave();
        }
        try {
            core.stand(stop, gen);
            if (error) {
                throw new DriverException("run " + run.name() + ": simulated failure of launch");
            }
            if (stop != null) {
                started = placeLate();
            }
        } finally {
            core.gate.run(() -> {
                if (gen == core.generation) {
                    core.watch.launchEnds();
                }
            });
        }
        if (started) {
            core.observer.started(run.name());
        }
        core.engine.kick();
    }

    private boolean placeLate() throws DriverException {
        core.gate.enter();
        try {
            core.check(gen);
            return core.engine.place(run);
        } finally {
            core.gate.leave();
        }
    }

    @Override
    public Progress await(long limitNanos) throws DriverException {
        core.checkThread();
        core.check(gen);
        int seen = run.wakes.get();
        Stop stop = core.gate.get(() -> {
            boolean first = !run.polled;
            run.polled = true;
            return first ? core.holds.arrive(run.at(Point.POLL)) : null;
        });
        core.stand(stop, gen);
        if (!run.onDevice() && run.state != SimRun.State.ENDED) {
            throw new DriverException("run " + run.name() + " is not on the device");
        }
        if (run.state != SimRun.State.ENDED && limitNanos > 0 && !core.capabilities.nonBlocking()) {
            core.runtime.await(
                    () -> run.state == SimRun.State.ENDED
                            || run.interrupted
                            || run.wakes.get() != seen
                            || core.generation != gen,
                    limitNanos);
        }
        core.check(gen);
        if (run.state != SimRun.State.ENDED) {
            return Progress.RUNNING;
        }
        if (core.fault(run, Point.POLL) == Fault.ERROR) {
            throw new DriverException("run " + run.name() + ": simulated failure of asking");
        }
        String failure = run.failure;
        return failure == null ? Progress.ENDED : Progress.failed(failure);
    }

    @Override
    public Finalization finalizeRun() throws DriverException {
        core.checkThread();
        core.gate.enter();
        try {
            core.check(gen);
            core.log("finalize", run.name());
            if (run.ending) {
                core.watch.breach("run " + run.name() + " was finalized twice");
                throw new DriverException("run " + run.name() + " is finalized already");
            }
            run.ending = true;
        } finally {
            core.gate.leave();
        }
        core.hold(run.at(Point.FINALIZE), gen);
        if (core.fault(run, Point.FINALIZE) == Fault.ERROR) {
            return unproven("run " + run.name() + ": simulated failure of finalize");
        }
        core.gate.run(() -> core.engine.takeOff(run));
        if (run.state == SimRun.State.EXECUTING && !core.capabilities.nonBlocking()) {
            core.runtime.await(
                    () -> run.state == SimRun.State.ENDED || run.interrupted || core.generation != gen, Long.MAX_VALUE);
        }
        core.check(gen);
        if (run.state == SimRun.State.EXECUTING) {
            return unproven("run " + run.name() + " is still executing");
        }
        String failure = run.failure;
        if (run.state == SimRun.State.ENDED && failure == null) {
            giveOutputs();
        }
        core.memory.release(run);
        core.gate.run(() -> core.runs.remove(run.plan.run(), run));
        return failure == null ? Finalization.COMPLETED : Finalization.drained(failure);
    }

    private Finalization unproven(String cause) {
        boolean quiet = core.gate.get(() -> {
            if (gen == core.generation) {
                core.engine.takeOff(run);
            }
            run.unproven = true;
            return run.state != SimRun.State.EXECUTING;
        });
        if (quiet) {
            core.memory.release(run);
        }
        return Finalization.unproven(cause);
    }

    private void giveOutputs() {
        for (int i = 0; i < run.plan.arguments().size(); i++) {
            HostMemory stage = run.stages.get(i);
            if (stage != null
                    && run.plan.arguments().get(i) instanceof PlannedArgument.Staged s
                    && s.role().writes()) {
                HostMemory.copy(stage, 0, s.staging(), 0, stage.size());
            }
        }
    }
}
