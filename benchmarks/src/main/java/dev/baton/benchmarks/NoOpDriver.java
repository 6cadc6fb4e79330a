package dev.baton.benchmarks;

import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.RunId;
import dev.baton.protocol.driver.Capabilities;
import dev.baton.protocol.driver.CompletionListener;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.protocol.driver.Driver;
import dev.baton.protocol.driver.Finalization;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.Progress;
import dev.baton.protocol.driver.ResetOutcome;
import dev.baton.protocol.driver.RunPlan;
import dev.baton.protocol.driver.Task;

/** A device that does nothing at once: what is left is Baton's own cost. */
final class NoOpDriver implements Driver {
    private static final long MEMORY = 1L << 40;
    private static final long ALIGNMENT = 64;

    private final boolean nonBlocking;

    /** @param nonBlocking whether calls are declared to need no thread of their own */
    NoOpDriver(boolean nonBlocking) {
        this.nonBlocking = nonBlocking;
    }

    @Override
    public String name() {
        return "no-op";
    }

    @Override
    public Device open(DeviceRuntime runtime) {
        return new NoOpDevice(nonBlocking);
    }

    private static final class NoOpDevice implements Device {
        private final Capabilities capabilities;
        private long next = ALIGNMENT;

        NoOpDevice(boolean nonBlocking) {
            capabilities = new Capabilities(
                    "no-op", "1", 64, true, true, true, false, nonBlocking, ALIGNMENT, MEMORY, false, true);
        }

        @Override
        public Capabilities capabilities() {
            return capabilities;
        }

        @Override
        public long allocate(String label, long bytes) {
            long at = next;
            next += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
            return at;
        }

        @Override
        public void free(String label, long address) {
            // nothing is there
        }

        @Override
        public void write(String label, long address, HostMemory from, long fromOffset, long bytes) {
            // nothing is there
        }

        @Override
        public void read(String label, long address, HostMemory to, long toOffset, long bytes) {
            // nothing is there
        }

        @Override
        public void copy(String label, long from, long to, long bytes) {
            // nothing is there
        }

        @Override
        public void fill(String label, long address, long pattern, int patternBytes, long count) {
            // nothing is there
        }

        @Override
        public void register(CallableSpec callable) {
            // every callable does nothing
        }

        @Override
        public void unregister(String callable) {
            // every callable does nothing
        }

        @Override
        public Preparation begin(RunPlan plan) {
            return new NoOpRun();
        }

        @Override
        public void wake(RunId run) {
            // nothing waits
        }

        @Override
        public void interrupt(RunId run) {
            // nothing waits
        }

        @Override
        public ResetOutcome reset() {
            return new ResetOutcome(true, "nothing runs");
        }

        @Override
        public void close() {
            // nothing is held
        }
    }

    private static final class NoOpRun implements Preparation, PreparedRun {
        @Override
        public void emit(Task task) {
            // does nothing
        }

        @Override
        public long scratch(long bytes) {
            return ALIGNMENT;
        }

        @Override
        public PreparedRun prepare() {
            return this;
        }

        @Override
        public void abort() {
            // nothing was done
        }

        @Override
        public void write(long address, HostMemory from, long bytes) {
            // nothing is there
        }

        @Override
        public void launch(CompletionListener listener) {
            listener.ended();
        }

        @Override
        public Progress await(long limitNanos) {
            return Progress.ENDED;
        }

        @Override
        public Finalization finalizeRun() {
            return Finalization.COMPLETED;
        }
    }
}
