package dev.baton.testkit.conformance;

import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.Driver;
import dev.baton.protocol.driver.Profile;
import dev.baton.sim.CallKind;
import dev.baton.sim.Fault;
import dev.baton.sim.Point;
import dev.baton.sim.SimControl;
import dev.baton.sim.SimDevice;
import dev.baton.sim.SimDriver;
import dev.baton.sim.SimSettings;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;

/** The simulated device keeps the SPI's contract in every profile. */
class SimConformanceTest {
    private abstract static class Sim extends DriverConformance {
        private static final long MEMORY = 4 << 20;

        abstract SimSettings settings();

        @Override
        protected Driver driver() {
            return new SimDriver(settings().memory(MEMORY));
        }

        @Override
        protected Optional<DriverFaults> faults() {
            return Optional.of(new SimFaults());
        }

        @Override
        protected List<String> complaints(Device checked) {
            return control(checked).violations();
        }
    }

    @Nested
    class Joined extends Sim {
        @Override
        SimSettings settings() {
            return SimSettings.defaults().profile(Profile.JOINED);
        }
    }

    @Nested
    class PrepareOnly extends Sim {
        @Override
        SimSettings settings() {
            return SimSettings.defaults().profile(Profile.PREPARE_ONLY);
        }
    }

    @Nested
    class NoBuild extends Sim {
        @Override
        SimSettings settings() {
            return SimSettings.defaults().profile(Profile.NO_BUILD);
        }
    }

    @Nested
    class Serial extends Sim {
        @Override
        SimSettings settings() {
            return SimSettings.defaults().profile(Profile.SERIAL).maxDepth(1);
        }
    }

    @Nested
    class NonBlocking extends Sim {
        @Override
        SimSettings settings() {
            return SimSettings.defaults().nonBlocking(true);
        }
    }

    /** What a driver may also be: attached threads, no host view, odd alignment, work dropped behind failures, time that passes. */
    @Nested
    class Demanding extends Sim {
        private static final long NANOS = 20_000;

        @Override
        SimSettings settings() {
            return SimSettings.defaults()
                    .threadAttach(true)
                    .hostView(false)
                    .alignment(256)
                    .cancelsBehindFailure(true)
                    .kernelNanos(NANOS)
                    .prepareNanos(NANOS)
                    .launchNanos(NANOS)
                    .finalizeNanos(NANOS)
                    .lingerNanos(NANOS);
        }
    }

    @Nested
    class WithoutResetProof extends Sim {
        @Override
        SimSettings settings() {
            return SimSettings.defaults().resetProof(false);
        }
    }

    private static SimControl control(Device device) {
        return ((SimDevice) device).control();
    }

    private static final class SimFaults implements DriverFaults {
        @Override
        public boolean holds() {
            return true;
        }

        @Override
        public void hold(Device device, String run) {
            control(device).hold(run, Point.EXECUTE);
        }

        @Override
        public void go(Device device, String run) {
            control(device).go(run, Point.EXECUTE);
        }

        @Override
        public boolean supports(FailPoint point) {
            return true;
        }

        @Override
        public void fail(Device device, String run, FailPoint point) {
            switch (point) {
                case PREPARE -> control(device).fail(run, Point.PREPARE, Fault.ERROR);
                case INCOMPATIBLE -> control(device).fail(run, Point.PREPARE, Fault.INCOMPATIBLE);
                case ABORT -> control(device).fail(run, Point.CLEANUP, Fault.ERROR);
                case LAUNCH -> control(device).fail(run, Point.LAUNCH, Fault.ERROR);
                case EXECUTE -> control(device).fail(run, Point.EXECUTE, Fault.ERROR);
                case ASK -> control(device).fail(run, Point.POLL, Fault.ERROR);
                case FINALIZE -> control(device).fail(run, Point.FINALIZE, Fault.ERROR);
            }
        }

        @Override
        public boolean supports(MemoryCall call) {
            return true;
        }

        @Override
        public void failNext(Device device, MemoryCall call) {
            control(device)
                    .faultNext(
                            switch (call) {
                                case ALLOCATE -> CallKind.ALLOC;
                                case FREE -> CallKind.FREE;
                                case READ -> CallKind.READ;
                                case WRITE -> CallKind.WRITE;
                            },
                            1);
        }
    }
}
