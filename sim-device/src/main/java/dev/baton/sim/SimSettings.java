package dev.baton.sim;

import dev.baton.protocol.driver.Capabilities;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** How a simulated device is made. Immutable: each method gives a changed copy. */
public final class SimSettings {
    private long memory = 16_777_216;
    private int maxDepth = 64;
    private boolean concurrentPrepare = true;
    private boolean joinedLaunch = true;
    private boolean hostBuild = true;
    private boolean threadAttach;
    private boolean nonBlocking;
    private boolean cancelsBehindFailure;
    private boolean resetProof = true;
    private boolean keepLog = true;
    private long alignment = 64;
    private long baseAddress = 0x10000;
    private long kernelNanos;
    private long prepareNanos;
    private Map<String, SimKernel> kernels = Map.of();

    private SimSettings() {}

    /** 16 MiB, all early forms, nothing takes time. */
    public static SimSettings defaults() {
        return new SimSettings();
    }

    /** Size of the memory in bytes. */
    public SimSettings memory(long bytes) {
        return with(s -> s.memory = bytes);
    }

    /** Most slots. */
    public SimSettings maxDepth(int slots) {
        return with(s -> s.maxDepth = slots);
    }

    /** See {@link Capabilities#concurrentPrepare}. */
    public SimSettings concurrentPrepare(boolean on) {
        return with(s -> s.concurrentPrepare = on);
    }

    /** See {@link Capabilities#joinedLaunch}. */
    public SimSettings joinedLaunch(boolean on) {
        return with(s -> s.joinedLaunch = on);
    }

    /** See {@link Capabilities#hostBuild}. */
    public SimSettings hostBuild(boolean on) {
        return with(s -> s.hostBuild = on);
    }

    /** Calls from threads that were not attached fail. */
    public SimSettings threadAttach(boolean on) {
        return with(s -> s.threadAttach = on);
    }

    /** No call waits, but in holds. */
    public SimSettings nonBlocking(boolean on) {
        return with(s -> s.nonBlocking = on);
    }

    /** Runs behind a failed one are dropped as failed. */
    public SimSettings cancelsBehindFailure(boolean on) {
        return with(s -> s.cancelsBehindFailure = on);
    }

    /** Whether a reset reports proof. */
    public SimSettings resetProof(boolean on) {
        return with(s -> s.resetProof = on);
    }

    /** Whether log and executed runs are kept; off for long benchmarks. */
    public SimSettings keepLog(boolean on) {
        return with(s -> s.keepLog = on);
    }

    /** Alignment of allocations in bytes. */
    public SimSettings alignment(long bytes) {
        return with(s -> s.alignment = bytes);
    }

    /** The lowest address. */
    public SimSettings baseAddress(long address) {
        return with(s -> s.baseAddress = address);
    }

    /** Runtime time that executing a run takes. */
    public SimSettings kernelNanos(long nanos) {
        return with(s -> s.kernelNanos = nanos);
    }

    /** Runtime time that the driver's prepare takes. */
    public SimSettings prepareNanos(long nanos) {
        return with(s -> s.prepareNanos = nanos);
    }

    /** One more kernel, or another for a known name. */
    public SimSettings kernel(String name, SimKernel code) {
        Map<String, SimKernel> more = new HashMap<>(kernels);
        more.put(name, code);
        return with(s -> s.kernels = Map.copyOf(more));
    }

    /** What the device declares. */
    public Capabilities capabilities() {
        return new Capabilities(
                SimDriver.NAME,
                SimDriver.VERSION,
                maxDepth,
                concurrentPrepare,
                joinedLaunch,
                hostBuild,
                threadAttach,
                nonBlocking,
                alignment,
                memory,
                cancelsBehindFailure,
                resetProof);
    }

    boolean keepLog() {
        return keepLog;
    }

    long kernelNanos() {
        return kernelNanos;
    }

    long prepareNanos() {
        return prepareNanos;
    }

    Map<String, SimKernel> kernels() {
        return kernels;
    }

    AddressSpace space(long usedUpTo) {
        long step = alignment > 0 && Long.bitCount(alignment) == 1 ? alignment : 64;
        return new AddressSpace((baseAddress + step - 1) & -step, memory, step, usedUpTo);
    }

    private SimSettings with(Consumer<SimSettings> change) {
        SimSettings s = new SimSettings();
        s.memory = memory;
        s.maxDepth = maxDepth;
        s.concurrentPrepare = concurrentPrepare;
        s.joinedLaunch = joinedLaunch;
        s.hostBuild = hostBuild;
        s.threadAttach = threadAttach;
        s.nonBlocking = nonBlocking;
        s.cancelsBehindFailure = cancelsBehindFailure;
        s.resetProof = resetProof;
        s.keepLog = keepLog;
        s.alignment = alignment;
        s.baseAddress = baseAddress;
        s.kernelNanos = kernelNanos;
        s.prepareNanos = prepareNanos;
        s.kernels = kernels;
        change.accept(s);
        return s;
    }
}
