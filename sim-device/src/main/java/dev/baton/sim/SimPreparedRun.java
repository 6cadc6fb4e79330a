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
            core.watch.runWriting(run, address, bytes);
            core.tell(o -> o.accessed("write of run " + run.name(), true, address, bytes));
        } finally {
            core.gate.leave();
        }
        HostMemory.copy(from, 0, a.memory, address - a.address, bytes);
    }

    /** Inside the gate. */
    private void demandPrepared(String what) {
        if (run.state != RunState.PREPARED || run.launched || run.ending) {
            String sentence = "run " + run.name() + " was " + what + " in state " + run.state;
            core.watch.breach(sentence);
            throw new IllegalStateException(sentence);
        }
    }

    @Override
    public void launch(CompletionListener listener) throws DriverException {
        core.checkThread();
        long nanos = core.capabilities.nonBlocking() ? 0 : core.settings.launchNanos();
        boolean error;
        boolean placed = false;
        Stop stop;
        core.gate.enter();
        try {
            core.check(gen);
            demandPrepared("launched");
            core.log("launch", run.name());
            core.tell(o -> o.launching(run.plan));
            core.watch.launchBegins(run);
            run.launched = true;
            run.listener = listener;
            error = core.faults.at(run.name(), Point.LAUNCH) == Fault.ERROR;
            stop = core.holds.arrive(run.at(Point.LAUNCH));
            if (stop == null && !error && nanos == 0) {
                core.engine.place(run);
                placed = true;
            }
        } finally {
            core.gate.leave();
        }
        try {
            core.stand(stop, gen);
            core.spend(nanos, gen);
            if (error) {
                throw new DriverException("run " + run.name() + ": simulated failure of launch");
            }
            if (!placed) {
                placeLate();
            }
        } finally {
            core.gate.run(() -> {
                if (gen == core.generation) {
                    core.watch.launchEnds();
                }
            });
        }
        core.engine.kick();
    }

    private void placeLate() throws DriverException {
        core.gate.enter();
        try {
            core.check(gen);
            core.engine.place(run);
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
        if (!run.onDevice() && run.state != RunState.ENDED) {
            throw new DriverException("run " + run.name() + " is not on the device");
        }
        if (run.state != RunState.ENDED && limitNanos > 0 && !core.capabilities.nonBlocking()) {
            core.runtime.await(
                    () -> run.state == RunState.ENDED
                            || run.interrupted
                            || run.wakes.get() != seen
                            || core.generation != gen,
                    limitNanos);
        }
        core.check(gen);
        if (run.state != RunState.ENDED) {
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
            if (run.ending) {
                String sentence = "run " + run.name() + " was finalized twice";
                core.watch.breach(sentence);
                throw new IllegalStateException(sentence);
            }
            run.ending = true;
            core.log("finalize", run.name());
            core.tell(o -> o.finalizing(run.plan));
        } finally {
            core.gate.leave();
        }
        core.hold(run.at(Point.FINALIZE), gen);
        if (core.fault(run, Point.FINALIZE) == Fault.ERROR) {
            return unproven("run " + run.name() + ": simulated failure of finalize");
        }
        core.gate.run(() -> core.engine.takeOff(run));
        if (run.state == RunState.EXECUTING && !core.capabilities.nonBlocking()) {
            core.runtime.await(
                    () -> run.state == RunState.ENDED || run.interrupted || core.generation != gen, Long.MAX_VALUE);
        }
        core.check(gen);
        if (run.state == RunState.EXECUTING) {
            return unproven("run " + run.name() + " is still executing");
        }
        core.spend(core.settings.finalizeNanos(), gen);
        String failure = run.failure;
        if (run.state == RunState.ENDED && failure == null) {
            giveOutputs();
        }
        core.memory.release(run);
        return over(failure == null ? Finalization.COMPLETED : Finalization.drained(failure));
    }

    private Finalization over(Finalization outcome) {
        core.gate.run(() -> {
            if (core.runs.remove(run.plan.run(), run)) {
                core.tell(o -> o.finalized(run.plan, outcome));
            }
        });
        return outcome;
    }

    /** The run is off the device if it did not execute; what it took is kept, since nobody may count on that. */
    private Finalization unproven(String cause) {
        Finalization outcome = Finalization.unproven(cause);
        core.gate.run(() -> {
            run.unproven = true;
            if (gen == core.generation) {
                core.engine.takeOff(run);
                core.tell(o -> o.finalized(run.plan, outcome));
            }
        });
        return outcome;
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
