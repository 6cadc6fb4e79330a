package dev.baton.testkit.junit;

import dev.baton.context.DeviceSettings;
import dev.baton.protocol.driver.DriverException;
import dev.baton.sim.SimSettings;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/** Gives tests a {@link TestDevice}, as {@link BatonDevice} says; afterwards checks that nothing misused the device. */
public final class BatonExtension
        implements TestTemplateInvocationContextProvider,
                ParameterResolver,
                AfterEachCallback,
                TestExecutionExceptionHandler {
    /** Runs one seed alone. */
    public static final String SEED_PROPERTY = "baton.seed";

    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(BatonExtension.class);

    /** The device of tests that say nothing. */
    @BatonDevice
    private static final class Defaults {}

    /** How one execution of a test runs: with a seed, or on real threads. */
    private record Round(String title, @Nullable Long seed) implements TestTemplateInvocationContext {
        static Round ofSeed(long seed) {
            return new Round("seed " + seed, seed);
        }

        @Override
        public String getDisplayName(int invocationIndex) {
            return title;
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(
                    (BeforeEachCallback) context -> context.getStore(SPACE).put(Round.class, this));
        }
    }

    /** A test's device with what carries it. */
    private record Opened(TestDevice device, Bench bench) {}

    // ---- seeds

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return Arrays.asList(context.getRequiredTestMethod().getParameterTypes())
                .contains(TestDevice.class);
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        BatonDevice made = made(context);
        Long alone = alone();
        if (alone != null) {
            return Stream.of(Round.ofSeed(alone));
        }
        return Stream.concat(
                LongStream.range(made.firstSeed(), made.firstSeed() + made.seeds())
                        .mapToObj(Round::ofSeed),
                LongStream.rangeClosed(1, made.threads()).mapToObj(i -> new Round("threads, round " + i, null)));
    }

    private static @Nullable Long alone() {
        String text = System.getProperty(SEED_PROPERTY);
        if (text == null || text.isBlank()) {
            return null;
        }
        try {
            return Long.valueOf(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("-D" + SEED_PROPERTY + "=" + text + " is no number", e);
        }
    }

    private static BatonDevice made(ExtensionContext context) {
        Optional<BatonDevice> found =
                context.getTestMethod().flatMap(m -> AnnotationSupport.findAnnotation(m, BatonDevice.class));
        for (Class<?> c = context.getRequiredTestClass(); found.isEmpty() && c != null; c = c.getEnclosingClass()) {
            found = AnnotationSupport.findAnnotation(c, BatonDevice.class);
        }
        return found.or(() -> AnnotationSupport.findAnnotation(Defaults.class, BatonDevice.class))
                .orElseThrow();
    }

    // ---- the device

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TestDevice.class
                && context.getTestMethod().isPresent();
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        ExtensionContext.Store store = context.getStore(SPACE);
        Opened opened = store.get(Opened.class, Opened.class);
        if (opened == null) {
            BatonDevice made = made(context);
            opened = open(round(context, made), made);
            store.put(Opened.class, opened);
        }
        return opened.device();
    }

    private static Round round(ExtensionContext context, BatonDevice made) {
        Round round = context.getStore(SPACE).get(Round.class, Round.class);
        if (round != null) {
            return round;
        }
        Long alone = alone();
        return Round.ofSeed(alone != null ? alone : made.firstSeed());
    }

    private static Opened open(Round round, BatonDevice made) {
        BatonDevice.Settings more;
        try {
            more = made.settings().getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new ParameterResolutionException(
                    made.settings() + " needs a constructor without parameters that can be called from here", e);
        }
        SimSettings sim = more.sim(SimSettings.defaults()
                .memory(made.memory())
                .concurrentPrepare(made.concurrentPrepare())
                .joinedLaunch(made.joinedLaunch()));
        DeviceSettings settings =
                more.device(DeviceSettings.defaults().withDepth(made.depth()).withQueue(made.queue()));
        Long seed = round.seed();
        try {
            Bench bench = seed == null ? new ThreadBench(sim, settings) : new DeterministicBench(seed, sim, settings);
            return new Opened(new TestDevice(bench, round.title()), bench);
        } catch (DriverException e) {
            throw new ParameterResolutionException("the device can't be opened", e);
        }
    }

    // ---- afterwards

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        Opened opened = context.getStore(SPACE).get(Opened.class, Opened.class);
        if (opened == null || failure instanceof TestAbortedException) {
            throw failure;
        }
        String trail = opened.bench().trail();
        throw new AssertionError(
                hint(context) + failure + (trail.isEmpty() ? "" : System.lineSeparator() + trail), failure);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Opened opened = context.getStore(SPACE).remove(Opened.class, Opened.class);
        if (opened != null) {
            List<String> problems = opened.bench().finish();
            if (!problems.isEmpty()) {
                throw new AssertionError(hint(context) + "the device was misused: " + problems);
            }
        }
    }

    /** How to see it again. */
    private static String hint(ExtensionContext context) {
        Round round = round(context, made(context));
        Method method = context.getRequiredTestMethod();
        String test = method.getDeclaringClass().getSimpleName() + "#" + method.getName();
        return round.seed() == null
                ? round.title() + ": "
                : round.title() + " (replay with -Dtest=" + test + " -D" + SEED_PROPERTY + "=" + round.seed() + "): ";
    }
}
