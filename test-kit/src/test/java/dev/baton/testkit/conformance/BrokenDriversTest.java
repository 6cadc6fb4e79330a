package dev.baton.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.Driver;
import dev.baton.protocol.driver.Finalization;
import dev.baton.protocol.driver.OutOfDeviceMemoryException;
import dev.baton.protocol.driver.Preparation;
import dev.baton.protocol.driver.PreparedRun;
import dev.baton.protocol.driver.Progress;
import dev.baton.protocol.driver.ResetOutcome;
import dev.baton.sim.SimDriver;
import dev.baton.sim.SimSettings;
import dev.baton.testkit.Launched;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The suite finds drivers that break the contract, each by the test that is about it. */
@Isolated
class BrokenDriversTest {
    /** How a driver is broken, and the test that must say so. */
    enum Breach {
        UNALIGNED("allocationsAreAlignedAndDisjoint"),
        NEVER_FREES("freedMemoryCanBeUsedAgain"),
        WRONG_EXCEPTION("whatDoesNotFitIsOutOfMemoryAndChangesNothing"),
        IGNORES_OFFSETS("writesAndReadsKeepToTheirBytes"),
        COPIES_NOTHING("copiesKeepToTheirBytes"),
        FILLS_TOO_LITTLE("fillsRepeatLittleEndianPatterns"),
        ABORTS_NOTHING("abortGivesScratchBack"),
        FAILED_IS_ENDED("failedWorkIsToldWhileItIsWaitedFor"),
        READY_IS_SUCCESS("failedWorkIsToldAlsoWhenItHasEndedAlready"),
        DRAINED_IS_COMPLETED("failedWorkIsToldByFinalizeAlone"),
        UNPROVEN_IS_DRAINED("aFinalizeThatProvesNothingSaysSo"),
        SLEEPS_THROUGH_WAKES("aWakeEndsTheStandingWait"),
        RESET_DOES_NOTHING("aResetFreesAllMemoryAndKeepsCallables"),
        KNOWS_EVERY_KERNEL("anUnknownKernelIsNamedWhenItIsRegistered");

        final String test;

        Breach(String test) {
            this.test = test;
        }

        /** What a call that came to {@code result} tells; the arguments may be changed before. */
        @Nullable
        Object after(String method, @Nullable Object result) {
            return switch (this) {
                case UNALIGNED -> method.equals("allocate") && result instanceof Long at ? (Object) (at + 1) : result;
                case FAILED_IS_ENDED ->
                    result instanceof Progress p && p.state() == Progress.State.FAILED ? Progress.ENDED : result;
                case DRAINED_IS_COMPLETED ->
                    result instanceof Finalization f && f.outcome() == Finalization.Outcome.FAILED_BUT_DRAINED
                            ? Finalization.COMPLETED
                            : result;
                case UNPROVEN_IS_DRAINED ->
                    result instanceof Finalization f && f.outcome() == Finalization.Outcome.UNPROVEN
                            ? Finalization.drained("so it is said")
                            : result;
                default -> result;
            };
        }

        /** Whether the call is left out. */
        boolean omits(String method) {
            return switch (this) {
                case NEVER_FREES -> method.equals("free");
                case COPIES_NOTHING -> method.equals("copy");
                case ABORTS_NOTHING -> method.equals("abort");
                case SLEEPS_THROUGH_WAKES -> method.equals("wake");
                case RESET_DOES_NOTHING -> method.equals("reset");
                case KNOWS_EVERY_KERNEL -> method.equals("register");
                default -> false;
            };
        }

        void before(String method, Object[] arguments) {
            if (this == IGNORES_OFFSETS && method.equals("write") && arguments.length == 5) {
                arguments[arguments.length - 2] = 0L;
            } else if (this == FILLS_TOO_LITTLE && method.equals("fill")) {
                arguments[4] = Math.max(1, (Long) arguments[4] - 1);
            }
        }
    }

    private static Breach breach = Breach.UNALIGNED;

    /** The suite on a broken driver; run by the launcher only. */
    static class Broken extends DriverConformance {
        private static final long MEMORY = 1 << 20;

        private final SimDriver sim = new SimDriver(SimSettings.defaults().memory(MEMORY));

        @Override
        protected Driver driver() {
            return (Driver) wrap(Driver.class, sim);
        }

        /** Long enough for what is not broken. */
        @Override
        protected Duration patience() {
            return Duration.ofSeconds(2);
        }

        @Override
        protected Optional<DriverFaults> faults() {
            return Optional.of(new SimFaults(device -> sim.control()));
        }
    }

    private static Object wrap(Class<?> type, Object inner) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Handler(inner));
    }

    private static final class Handler implements InvocationHandler {
        private final Object inner;
        private boolean asked;

        Handler(Object inner) {
            this.inner = inner;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] given) throws Throwable {
            Object[] arguments = given == null ? new Object[0] : given.clone();
            String name = method.getName();
            if (breach.omits(name)) {
                return name.equals("reset") ? new ResetOutcome(true, "done") : null;
            }
            breach.before(name, arguments);
            try {
                Object result = breach.after(name, method.invoke(inner, arguments));
                if (breach == Breach.READY_IS_SUCCESS && result instanceof Progress p && p != Progress.RUNNING) {
                    result = asked ? Progress.ENDED : p;
                    asked = true;
                }
                if (result instanceof Device) {
                    return wrap(Device.class, result);
                } else if (result instanceof Preparation) {
                    return wrap(Preparation.class, result);
                }
                return result instanceof PreparedRun ? wrap(PreparedRun.class, result) : result;
            } catch (InvocationTargetException e) {
                if (breach == Breach.WRONG_EXCEPTION && e.getCause() instanceof OutOfDeviceMemoryException) {
                    throw new IllegalStateException("no room");
                }
                throw e.getCause();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachBreachIsFound(Breach how) {
        breach = how;
        Launched launched = Launched.of(Broken.class);
        assertThat(launched.run()).isGreaterThan(50);
        assertThat(launched.failedMethods()).contains(how.test);
    }
}
