package dev.baton.testkit.conformance;

import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.Driver;
import dev.baton.protocol.driver.Profile;
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

        private static SimControl control(Device device) {
            return ((SimDevice) device).control();
        }

        @Override
        protected Driver driver() {
            return new SimDriver(settings().memory(MEMORY));
        }

        @Override
        protected Optional<DriverFaults> faults() {
            return Optional.of(new SimFaults(Sim::control));
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
}
