package dev.baton.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunId;
import dev.baton.protocol.Scalar;
import dev.baton.protocol.Signature;
import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.PlannedArgument;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.RunPlan;
import dev.baton.protocol.driver.Task;
import dev.baton.protocol.driver.Task.TaskArgument;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** A device with what tests need to drive it, on real threads or on the runtime given. */
final class Rig {
    static final long LONG = 10_000_000_000L;

    interface Body<T> {
        T run() throws DriverException;
    }

    final ThreadRuntime runtime = new ThreadRuntime();
    final SimDevice device;
    final SimControl control;
    private long next;

    Rig(SimSettings settings) {
        device = new SimDriver(settings).open(runtime);
        control = device.control();
    }

    Rig(SimSettings settings, DeviceRuntime other) {
        device = new SimDriver(settings).open(other);
        control = device.control();
    }

    Rig() {
        this(SimSettings.defaults());
    }

    long floats(String label, float... values) throws DriverException {
        long a = device.allocate(label, values.length * 4L);
        device.write(label, a, memory(values), 0, values.length * 4L);
        return a;
    }

    float[] read(long address, int count) throws DriverException {
        HostMemory to = HostMemory.allocate(count * 4L);
        device.read("read", address, to, 0, count * 4L);
        return values(to);
    }

    static HostMemory memory(float... values) {
        HostMemory m = HostMemory.allocate(values.length * 4L);
        for (int i = 0; i < values.length; i++) {
            m.single().putFloat(i * 4, values[i]);
        }
        return m;
    }

    static float[] values(HostMemory m) {
        float[] out = new float[(int) (m.size() / 4)];
        for (int i = 0; i < out.length; i++) {
            out[i] = m.single().getFloat(i * 4);
        }
        return out;
    }

    static PlannedArgument on(Role role, long address, long count) {
        return new PlannedArgument.OnDevice(role, DataType.F32, address, List.of(count), List.of(), address, count * 4);
    }

    static PlannedArgument staged(Role role, HostMemory m) {
        return new PlannedArgument.Staged(role, DataType.F32, List.of(m.size() / 4), m);
    }

    static PlannedArgument value(float v) {
        return new PlannedArgument.Value(Scalar.f32(v));
    }

    RunPlan plan(String name, String kernel, boolean early, PlannedArgument... arguments) {
        next++;
        CallableSpec callable = new CallableSpec(kernel, kernel, new Signature(List.of()));
        try {
            device.register(callable);
        } catch (DriverException e) {
            throw new AssertionError(e);
        }
        return new RunPlan(new RunId("d", 0, next), name, callable, 1, List.of(arguments), false, early);
    }

    Preparation begin(RunPlan plan) throws DriverException {
        Preparation p = device.begin(plan);
        List<TaskArgument> all = new ArrayList<>();
        for (int i = 0; i < plan.arguments().size(); i++) {
            all.add(new TaskArgument.OfRun(i));
        }
        p.emit(new Task(plan.callable().kernel(), all, List.of()));
        return p;
    }

    PreparedRun prepared(String name, String kernel, PlannedArgument... arguments) throws DriverException {
        return begin(plan(name, kernel, control.liveRuns() > 0, arguments)).prepare();
    }

    PreparedRun launched(String name, String kernel, PlannedArgument... arguments) throws DriverException {
        PreparedRun run = prepared(name, kernel, arguments);
        run.launch(() -> {});
        return run;
    }

    <T> CompletableFuture<T> async(Body<T> body) {
        CompletableFuture<T> f = new CompletableFuture<>();
        runtime.fork("async", () -> {
            try {
                f.complete(body.run());
            } catch (Throwable e) {
                f.completeExceptionally(e);
            }
        });
        return f;
    }

    void until(BooleanSupplier condition) {
        assertThat(runtime.await(condition, LONG)).isTrue();
    }

    void untilHeld(String what, String point) {
        until(() -> control.held().contains(new Held(what, point)));
    }
}
