package dev.baton.sim;

import dev.baton.protocol.CallableSpec;
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
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of a simulated device share. All of its state is read and written inside the {@link Gate}, but for the volatile
 * fields. Each reset begins another generation; calls and runs of an older one fail and touch nothing.
 */
final class SimCore {
    final SimSettings settings;
    final Capabilities capabilities;
    final DeviceRuntime runtime;
    final Gate gate = new Gate();
    final Holds holds = new Holds();
    final Faults faults = new Faults();
    final Watch watch = new Watch(this);
    final Kernels kernels;
    final SimMemory memory;
    final Engine engine;
    final Map<RunId, SimRun> runs = new LinkedHashMap<>();
    final Map<String, CallableSpec> registered = new TreeMap<>();
    final Set<String> executed = ConcurrentHashMap.newKeySet();
    volatile int generation;
    volatile boolean closed;
    volatile @Nullable SimObserver observer;
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

    /** Inside the gate: the observer hears of it as soon as the gate is left. */
    void tell(Consumer<SimObserver> what) {
        SimObserver o = observer;
        if (o != null) {
            gate.after(() -> what.accept(o));
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

    void clearLog() {
        gate.run(log::clear);
    }

    /** Lets the runtime's time pass, unless calls never wait here. */
    void spend(long nanos, int gen) throws DriverException {
        if (nanos > 0 && !capabilities.nonBlocking()) {
            runtime.await(() -> generation != gen, nanos);
            check(gen);
        }
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

    /** The common beginning of memory calls: the hold of the label. */
    int arrive(String label) throws DriverException {
        int gen = enter();
        hold(new Held(label, Holds.CALL), gen);
        return gen;
    }

    /** As {@link #arrive}, then the fault of the kind. */
    int call(String label, CallKind kind) throws DriverException {
        int gen = arrive(label);
        if (gate.get(() -> faults.take(kind))) {
            throw new DriverException("simulated failure of " + label);
        }
        return gen;
    }

    @Nullable
    Fault fault(SimRun run, Point point) {
        return gate.get(() -> faults.at(run.name(), point));
    }

    void register(CallableSpec callable) throws DriverException {
        int gen = enter();
        kernels.get(callable.kernel());
        gate.enter();
        try {
            check(gen);
            registered.put(callable.name(), callable);
        } finally {
            gate.leave();
        }
    }

    void unregister(String callable) throws DriverException {
        int gen = enter();
        gate.enter();
        try {
            check(gen);
            for (SimRun r : runs.values()) {
                if (r.plan.callable().name().equals(callable)) {
                    watch.breach("unregister " + callable + " while run " + r.name() + " uses it");
                }
            }
            if (registered.remove(callable) == null) {
                throw new DriverException(
                        "unregister " + callable + ": registered are " + String.join(", ", registered.keySet()));
            }
        } finally {
            gate.leave();
        }
    }

    /** A reset that is not proven changes nothing at all. */
    ResetOutcome reset() {
        try {
            int gen = enter();
            hold(new Held("reset", Holds.CALL), gen);
        } catch (DriverException e) {
            return new ResetOutcome(false, String.valueOf(e.getMessage()));
        }
        if (gate.get(() -> faults.take(CallKind.RESET))) {
            return new ResetOutcome(false, "simulated failure of reset");
        }
        if (!capabilities.resetProof()) {
            return new ResetOutcome(false, "this device can't prove that it is quiet");
        }
        end();
        return new ResetOutcome(true, "all work was dropped and all memory freed");
    }

    void close() throws DriverException {
        enter();
        gate.run(() -> {
            watch.closing();
            closed = true;
        });
        end();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written inside the gate only, read anywhere
    private void end() {
        List<Allocation> gone = gate.get(() -> {
            generation = generation + 1;
            engine.drop();
            runs.clear();
            watch.reset();
            holds.forget(begun);
            faults.forget(begun);
            begun.clear();
            tell(SimObserver::reset);
            return memory.drop();
        });
        runtime.signal();
        SimMemory.overwrite(gone);
    }
}
