package dev.baton.jna;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.RunId;
import dev.baton.protocol.driver.Capabilities;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.ResetOutcome;
import dev.baton.protocol.driver.RunPlan;
import java.lang.ref.Reference;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A device of a native library.
 *
 * <p>Memory that native code may touch never moves and is held from begin until the run has ended with proof: by {@code live}, also when
 * the slot that carried the run has died. An end without proof leaves it there until a reset proves that the device is quiet.
 */
public final class NativeDevice implements Device {
    final DeviceRuntime runtime;
    final NativeCalls calls;
    private final Map<Long, RunHandle> live = new ConcurrentHashMap<>();
    private final Map<RunId, RunHandle> byId = new ConcurrentHashMap<>();
    private final AtomicInteger generation = new AtomicInteger();
    private volatile boolean closed;

    NativeDevice(NativeCalls calls, DeviceRuntime runtime) throws DriverException {
        this.calls = calls;
        this.runtime = runtime;
        calls.completion((user, run) -> rung(run));
    }

    private void rung(long run) {
        RunHandle handle = live.get(run);
        if (handle != null) {
            handle.ring();
            runtime.signal();
        }
    }

    @Override
    public Capabilities capabilities() {
        return calls.capabilities;
    }

    @Override
    public void attachThread() throws DriverException {
        open();
        calls.check(calls.abi.baton_attach_thread(calls.device));
    }

    /** Bytes of the device's memory that are free, if the library tells. May block. */
    public OptionalLong freeBytes() throws DriverException {
        open();
        if (!calls.hasMemoryInfo()) {
            return OptionalLong.empty();
        }
        LongByReference free = new LongByReference();
        calls.check(calls.abi.baton_memory_info(calls.device, free, new LongByReference()));
        return OptionalLong.of(free.getValue());
    }

    @Override
    public long allocate(String label, long bytes) throws DriverException {
        open();
        LongByReference address = new LongByReference();
        calls.check(calls.abi.baton_allocate(calls.device, label, bytes, address));
        return address.getValue();
    }

    @Override
    public void free(String label, long address) throws DriverException {
        open();
        calls.check(calls.abi.baton_free(calls.device, label, address));
    }

    @Override
    public void write(String label, long address, HostMemory from, long fromOffset, long bytes) throws DriverException {
        open();
        inSegments(
                from,
                fromOffset,
                bytes,
                (at, done, part) -> calls.abi.baton_write(calls.device, label, address + done, at, part));
    }

    @Override
    public void read(String label, long address, HostMemory to, long toOffset, long bytes) throws DriverException {
        open();
        inSegments(
                to,
                toOffset,
                bytes,
                (at, done, part) -> calls.abi.baton_read(calls.device, label, address + done, at, part));
    }

    /** One call for one piece of host memory. */
    interface PieceCall {
        int status(Pointer host, long done, long bytes);
    }

    /** Calls for each segment of host memory in turn; the memory is held until the last has returned. */
    void inSegments(HostMemory host, long offset, long bytes, PieceCall call) throws DriverException {
        try {
            long done = 0;
            while (done < bytes) {
                long part = Math.min(bytes - done, NativeMemory.room(host, offset + done));
                calls.check(call.status(NativeMemory.at(host, offset + done), done, part));
                done += part;
            }
        } finally {
            Reference.reachabilityFence(host);
        }
    }

    @Override
    public void copy(String label, long from, long to, long bytes) throws DriverException {
        open();
        calls.check(calls.abi.baton_copy(calls.device, label, from, to, bytes));
    }

    @Override
    public void fill(String label, long address, long pattern, int patternBytes, long count) throws DriverException {
        open();
        calls.check(calls.abi.baton_fill(calls.device, label, address, pattern, patternBytes, count));
    }

    @Override
    public @Nullable HostMemory view(long address, long bytes) {
        if (!calls.hasView || closed || bytes < 1 || bytes > Integer.MAX_VALUE) {
            return null;
        }
        PointerByReference view = new PointerByReference();
        int status = calls.abi.baton_host_view(calls.device, address, bytes, view);
        Pointer at = status == BatonAbi.OK ? view.getValue() : null;
        return at == null || Pointer.nativeValue(at) == 0
                ? null
                : HostMemory.of(at.getByteBuffer(0, bytes).order(ByteOrder.LITTLE_ENDIAN));
    }

    @Override
    public void register(CallableSpec callable) throws DriverException {
        open();
        try (NativeMemory memory = new NativeMemory()) {
            calls.check(calls.abi.baton_register(calls.device, new PlanLayout(memory).callable(callable)));
        }
    }

    @Override
    public void unregister(String callable) throws DriverException {
        open();
        calls.check(calls.abi.baton_unregister(calls.device, callable));
    }

    @Override
    public Preparation begin(RunPlan plan) throws DriverException {
        open();
        RunHandle run = new RunHandle(plan, generation.get());
        LongByReference number = new LongByReference();
        boolean begun = false;
        try {
            calls.check(calls.abi.baton_begin(calls.device, new PlanLayout(run.memory).plan(plan), number));
            begun = true;
        } finally {
            if (!begun) {
                run.memory.close();
            }
        }
        run.begun(number.getValue());
        live.put(run.number(), run);
        byId.put(plan.run(), run);
        return new NativeAttempt(this, run);
    }

    /** The library is done with a run: nothing of it is held any longer. */
    void forget(RunHandle run) {
        live.remove(run.number(), run);
        byId.remove(run.plan.run(), run);
        run.memory.close();
    }

    /** Refuses calls of runs that a reset has ended. */
    void check(RunHandle run) throws DriverException {
        open();
        if (stale(run)) {
            throw new DriverException(run.name() + ": the device was reset since it was begun");
        }
    }

    boolean stale(RunHandle run) {
        return run.generation != generation.get();
    }

    private void open() throws DriverException {
        if (closed) {
            throw new DriverException("the device is closed"); // its pointer is gone: calling would end the process
        }
    }

    @Override
    public void wake(RunId run) {
        RunHandle known = byId.get(run);
        if (known != null) {
            known.wakes.incrementAndGet();
            runtime.signal();
        }
    }

    @Override
    public void interrupt(RunId run) {
        RunHandle known = byId.get(run);
        if (known != null) {
            known.interrupt();
            runtime.signal();
        }
    }

    @Override
    public ResetOutcome reset() {
        if (closed) {
            return new ResetOutcome(false, "the device is closed");
        }
        int ended = generation.incrementAndGet();
        runtime.signal();
        IntByReference proven = new IntByReference();
        int status = calls.abi.baton_reset(calls.device, proven);
        if (status != BatonAbi.OK || proven.getValue() == 0) {
            return new ResetOutcome(false, calls.sentence());
        }
        // not closed here: a call that stands may still read them; they go when nobody holds them
        live.values().removeIf(r -> r.generation < ended);
        byId.values().removeIf(r -> r.generation < ended);
        return new ResetOutcome(true, "the library proved that the device is quiet");
    }

    @Override
    public void close() throws DriverException {
        open();
        closed = true;
        calls.check(calls.abi.baton_close(calls.device));
        live.clear();
        byId.clear();
    }

    /** Whether it was closed: then its pointer is gone. */
    boolean closed() {
        return closed;
    }

    /** Whether this JVM has the pointers that this module was written for. */
    static boolean supported() {
        return Native.POINTER_SIZE == Long.BYTES && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    }
}
