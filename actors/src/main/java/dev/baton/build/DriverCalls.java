package dev.baton.build;

import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.Task;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The driver, as the threads of one build may call it: each thread is attached first where the driver wants that (R41), and
 * calls of one run never overlap (the SPI's promise), so a second thread waits for its turn by the runtime.
 */
final class DriverCalls {
    /** Devices that a thread was attached to for a build's sake: once per thread, also when a pool lends it to many builds. */
    private static final ThreadLocal<Set<Device>> ATTACHED =
            ThreadLocal.withInitial(() -> Collections.newSetFromMap(new WeakHashMap<>()));

    private final Device device;
    private final Preparation preparation;
    private final DeviceRuntime runtime;
    private final AttemptEnd end;
    private final boolean threadAttach;
    private final AtomicBoolean taken = new AtomicBoolean();
    private final AtomicInteger waiting = new AtomicInteger();
    private final EmittedTasks emitted = new EmittedTasks();

    private interface Call<T> {
        T make() throws DriverException;
    }

    DriverCalls(Device device, Preparation preparation, DeviceRuntime runtime, AttemptEnd end) {
        this.device = device;
        this.preparation = preparation;
        this.runtime = runtime;
        this.end = end;
        this.threadAttach = device.capabilities().threadAttach();
    }

    /** The calling thread is the slot's, which attaches itself. */
    void onSlotThread() {
        if (threadAttach) {
            ATTACHED.get().add(device);
        }
    }

    /** Device memory as the host sees it, or null; no turn is needed, since it never blocks and touches nothing. */
    @Nullable
    HostMemory view(long address, long bytes) throws DriverException {
        attach();
        HostMemory view = device.view(address, bytes);
        if (view != null && view.size() < bytes) {
            throw new DriverException("the driver's view of " + bytes + " bytes at 0x" + Long.toHexString(address)
                    + " has only " + view.size());
        }
        return view;
    }

    void read(String label, long address, HostMemory to, long bytes) throws DriverException {
        inTurn(() -> {
            device.read(label, address, to, 0, bytes);
            return true;
        });
    }

    void emit(Task task) throws DriverException {
        inTurn(() -> {
            preparation.emit(task);
            emitted.add(task.scope());
            return true;
        });
    }

    /** What was emitted, for people; once the build is over. */
    String emitted() {
        return emitted.toString();
    }

    long scratch(long bytes) throws DriverException {
        return inTurn(() -> preparation.scratch(bytes));
    }

    private void attach() throws DriverException {
        if (threadAttach) {
            Set<Device> attached = ATTACHED.get();
            if (!attached.contains(device)) {
                device.attachThread();
                attached.add(device);
            }
        }
    }

    /** @throws dev.baton.protocol.build.BuildSignal if the attempt ended while the thread waited (B4) */
    private <T> T inTurn(Call<T> call) throws DriverException {
        attach();
        while (!taken.compareAndSet(false, true)) {
            waiting.incrementAndGet();
            try {
                runtime.await(() -> !taken.get() || end.over(), Long.MAX_VALUE);
            } finally {
                waiting.decrementAndGet();
            }
            end.check();
        }
        try {
            return call.make();
        } finally {
            taken.set(false);
            if (waiting.get() > 0) {
                runtime.signal();
            }
        }
    }
}
