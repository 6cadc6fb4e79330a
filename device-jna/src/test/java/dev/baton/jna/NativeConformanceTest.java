package dev.baton.jna;

import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.Driver;
import dev.baton.testkit.conformance.DriverConformance;
import dev.baton.testkit.conformance.DriverFaults;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;

/** The C ABI's driver keeps the SPI's contract on the reference runtime, in every profile. */
class NativeConformanceTest {
    private abstract static class Reference extends DriverConformance {
        private static final int SENTENCE = 512;

        abstract String options();

        /** The library's file. */
        String library() {
            return ReferenceRuntime.library();
        }

        @Override
        protected Driver driver() {
            return new NativeDriver(library(), "memory=4194304," + options());
        }

        @Override
        protected Optional<DriverFaults> faults() {
            return Optional.of(new ReferenceFaults(library()));
        }

        @Override
        protected List<String> complaints(Device checked) {
            NativeDevice device = (NativeDevice) checked;
            if (device.closed()) {
                return List.of();
            }
            try (Memory to = new Memory(SENTENCE)) {
                NativeLibrary.getInstance(library())
                        .getFunction("baton_reference_complaint")
                        .invokeVoid(new Object[] {device.calls.device, to, (long) SENTENCE});
                String first = to.getString(0);
                return first.isEmpty() ? List.of() : List.of(first);
            }
        }
    }

    @Nested
    class Joined extends Reference {
        @Override
        String options() {
            return "profile=joined,depth=8";
        }
    }

    @Nested
    class PrepareOnly extends Reference {
        @Override
        String options() {
            return "profile=prepare-only";
        }
    }

    @Nested
    class NoBuild extends Reference {
        @Override
        String options() {
            return "profile=no-build";
        }
    }

    @Nested
    class Serial extends Reference {
        @Override
        String options() {
            return "profile=serial";
        }
    }

    @Nested
    class NonBlocking extends Reference {
        @Override
        String options() {
            return "nonblocking=1";
        }
    }

    /** Attached threads, no host view, odd alignment, work dropped behind failures, time that passes. */
    @Nested
    class Demanding extends Reference {
        @Override
        String options() {
            return "attach=1,view=0,alignment=256,cancels=1,kernel-nanos=20000";
        }
    }

    @Nested
    class WithoutResetProof extends Reference {
        @Override
        String options() {
            return "reset-proof=0";
        }
    }

    /** A library that tells nobody of ends is asked instead. */
    @Nested
    class WithoutCompletion extends Reference {
        @Override
        String options() {
            return "profile=joined";
        }

        @Override
        String library() {
            return ReferenceRuntime.without("baton_set_completion");
        }
    }
}
