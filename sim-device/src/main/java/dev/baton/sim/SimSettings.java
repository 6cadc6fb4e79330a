package dev.baton.sim;

import dev.baton.protocol.driver.Capabilities;
import dev.baton.protocol.driver.Profile;
import dev.baton.protocol.driver.Task;
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
    private boolean hostView = true;
    private long kernelNanos;
    private long prepareNanos;
    private long launchNanos;
    private long finalizeNanos;
    private long lingerNanos;
    private Map<String, Long> nanosOfKernels = Map.of();
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

    /** The early forms and host builds of a named profile. */
    public SimSettings profile(Profile profile) {
        return concurrentPrepare(profile != Profile.SERIAL)
                .joinedLaunch(profile == Profile.JOINED || profile == Profile.NO_BUILD)
                .hostBuild(profile != Profile.NO_BUILD);
    }

    /** Calls from threads that were not attached fail. */
    public SimSettings threadAttach(boolean on) {
        return with(s -> s.threadAttach = on);
    }

    /** No call waits, but in holds. */
    public SimSettings nonBlocking(boolean on) {
        return with(s -> s.nonBlocking = on);
    }

    /** Work that was launched behind a failing run is dropped, and fails too. */
    public SimSettings cancelsBehindFailure(boolean on) {
        return with(s -> s.cancelsBehindFailure = on);
    }

    /** Whether a reset can prove that the device is quiet; if not, it changes nothing. */
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

    /** Whether builds see the memory as host memory ({@code Device.view}); else they read through copies. */
    public SimSettings hostView(boolean on) {
        return with(s -> s.hostView = on);
    }

    /** Nanoseconds of the runtime's time that each task takes; zero: none at all. */
    public SimSettings kernelNanos(long nanos) {
        return with(s -> s.kernelNanos = nanos);
    }

    /** Nanoseconds of the runtime's time that each task of one kernel takes. */
    public SimSettings kernelNanos(String kernel, long nanos) {
        Map<String, Long> more = new HashMap<>(nanosOfKernels);
        more.put(kernel, nanos);
        return with(s -> s.nanosOfKernels = Map.copyOf(more));
    }

    /** Nanoseconds of the runtime's time that the driver's prepare takes. */
    public SimSettings prepareNanos(long nanos) {
        return with(s -> s.prepareNanos = nanos);
    }

    /** Nanoseconds of the runtime's time that the driver's launch takes before the run is on the device. */
    public SimSettings launchNanos(long nanos) {
        return with(s -> s.launchNanos = nanos);
    }

    /** Nanoseconds of the runtime's time that the driver's finalize takes after the run has ended. */
    public SimSettings finalizeNanos(long nanos) {
        return with(s -> s.finalizeNanos = nanos);
    }

    /**
     * Nanoseconds for which an idle device's thread stays before it ends, so that the next launch finds it. Only for real threads:
     * under virtual time it would consume that.
     */
    public SimSettings lingerNanos(long nanos) {
        return with(s -> s.lingerNanos = nanos);
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

    boolean hostView() {
        return hostView;
    }

    long nanosOf(Task task) {
        return nanosOfKernels.getOrDefault(task.kernel(), kernelNanos);
    }

    long prepareNanos() {
        return prepareNanos;
    }

    long launchNanos() {
        return launchNanos;
    }

    long finalizeNanos() {
        return finalizeNanos;
    }

    long lingerNanos() {
        return lingerNanos;
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
        s.hostView = hostView;
        s.kernelNanos = kernelNanos;
        s.prepareNanos = prepareNanos;
        s.launchNanos = launchNanos;
        s.finalizeNanos = finalizeNanos;
        s.lingerNanos = lingerNanos;
        s.nanosOfKernels = nanosOfKernels;
        s.kernels = kernels;
        change.accept(s);
        return s;
    }
}
