package dev.baton.sim;

import dev.baton.protocol.RunId;
import dev.baton.protocol.driver.Capabilities;
import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.ResetOutcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What the parts of a simulated device share. */
final class SimCore {
    final SimSettings settings;
    final Capabilities capabilities;
    final DeviceRuntime runtime;
    final Gate gate = new Gate();
    final Holds holds = new Holds();
    final Faults faults = new Faults();
    final Watch watch = new Watch();
    final Kernels kernels;
    final SimMemory memory;
    final Engine engine;
    final Map<RunId, SimRun> runs = new LinkedHashMap<>();
    final Set<String> executed = ConcurrentHashMap.newKeySet();
    volatile int generation;
    volatile boolean closed;
    volatile SimObserver observer = new SimObserver() {};
    private final List<String> log = new ArrayList<>();
    private final Set<String> begun = new HashSet<>();
    private final Set<Long> attached = ConcurrentHashMap.newKeySet();

    SimCore(SimSettings settings, DeviceRuntime runtime) {
        this.settings = settings;
        this.capabilities = settings.capabilities();
        this.runtime = runtime;
        this.kernels = new Kernels(settings.kernels());
        this.memory = new SimMemory(this);
        this.engine = new Engine(this);
    }

    void attach() {
        attached.add(Thread.currentThread().getId());
    }

    /** The generation that a call belongs to; refused on a closed device and on a thread that is not attached. */
    int enter() throws DriverException {
        checkThread();
        int gen = generation;
        check(gen);
        return gen;
    }

    void checkThread() throws DriverException {
        if (capabilities.threadAttach()
                && !attached.contains(Thread.currentThread().getId())) {
            throw new DriverException("thread " + Thread.currentThread().getName() + " was not attached");
        }
    }

    void check(int gen) throws DriverException {
        if (closed) {
            throw new DriverException("the device is closed");
        }
        if (gen != generation) {
            throw new DriverException("the device was reset");
        }
    }

    /** Inside the gate. */
    void log(String verb, String run) {
        if (settings.keepLog()) {
            log.add(verb + " " + run);
        }
    }

    /** Inside the gate. */
    void remember(SimRun run) {
        runs.put(run.plan.run(), run);
        if (settings.keepLog()) {
            begun.add(run.name());
        }
    }

    List<String> log() {
        return gate.get(() -> List.copyOf(log));
    }

    /** Stands at a hold if it is armed. */
    void hold(Held at, int gen) throws DriverException {
        stand(gate.get(() -> holds.arrive(at)), gen);
    }

    void stand(@Nullable Stop stop, int gen) throws DriverException {
        if (stop != null) {
            runtime.signal();
            try {
                runtime.await(() -> stop.open || generation != gen, Long.MAX_VALUE);
            } finally {
                gate.run(() -> holds.leave(stop));
            }
        }
        check(gen);
    }

    /** The common beginning of memory calls: the hold of the label, then the fault of the kind. */
    int call(String label, CallKind kind) throws DriverException {
        int gen = enter();
        hold(new Held(label, Holds.CALL), gen);
        if (gate.get(() -> faults.take(kind))) {
            throw new DriverException("simulated failure of " + label);
        }
        return gen;
    }

    @Nullable
    Fault fault(SimRun run, Point point) {
        return gate.get(() -> faults.at(run.name(), point));
    }

    ResetOutcome reset() {
        try {
            checkThread();
            int gen = generation;
            check(gen);
            hold(new Held("reset", Holds.CALL), gen);
        } catch (DriverException e) {
            return new ResetOutcome(false, String.valueOf(e.getMessage()));
        }
        if (gate.get(() -> faults.take(CallKind.RESET))) {
            return new ResetOutcome(false, "simulated failure of reset");
        }
        end();
        return capabilities.resetProof()
                ? new ResetOutcome(true, "all work was dropped and all memory freed")
                : new ResetOutcome(false, "this device can't prove that it is quiet");
    }

    void close() throws DriverException {
        enter();
        gate.run(() -> {
            for (SimRun r : runs.values()) {
                if (r.onDevice()) {
                    watch.breach("closed while run " + r.name() + " is on the device");
                }
            }
            closed = true;
        });
        end();
    }

    private void end() {
        List<Allocation> freed = gate.get(() -> {
            generation = generation + 1;
            engine.drop();
            runs.clear();
            watch.reset();
            holds.forget(begun);
            faults.forget(begun);
            begun.clear();
            return memory.drop();
        });
        runtime.signal();
        memory.overwrite(freed);
    }
}
