package dev.baton.testkit.conformance;

import dev.baton.protocol.driver.Capabilities;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DriverException;
import dev.baton.runtime.ThreadRuntime;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.ReflectionSupport;

/** Asks the device under test, once for each class, what it has, and makes a test of each clause that binds it. */
final class ClauseSelection implements TestTemplateInvocationContextProvider {
    private static final ExtensionContext.Namespace HERE = ExtensionContext.Namespace.create(ClauseSelection.class);

    private record Subject(Capabilities can, Optional<DriverFaults> faults) {
        boolean boundBy(Clause clause) {
            return Arrays.stream(clause.needs()).allMatch(t -> t.of(can, faults))
                    && Arrays.stream(clause.fails())
                            .allMatch(p -> faults.isPresent() && faults.get().supports(p));
        }
    }

    /** The method's name, so that reports read as for plain tests. */
    private record Once(String name) implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int invocation) {
            return name;
        }
    }

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return context.getRequiredTestMethod().isAnnotationPresent(Clause.class);
    }

    @Override
    public boolean mayReturnZeroTestTemplateInvocationContexts(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        Class<?> type = context.getRequiredTestClass();
        Subject subject = context.getParent()
                .orElse(context)
                .getStore(HERE)
                .getOrComputeIfAbsent(type, ClauseSelection::ask, Subject.class);
        Clause clause = context.getRequiredTestMethod().getAnnotation(Clause.class);
        return subject.boundBy(clause)
                ? Stream.of(new Once(context.getRequiredTestMethod().getName()))
                : Stream.empty();
    }

    private static Subject ask(Class<?> type) {
        ConformanceBase suite = (ConformanceBase) instance(type);
        try (ThreadRuntime runtime = new ThreadRuntime()) {
            Device device = suite.driver().open(runtime);
            Capabilities can = device.capabilities();
            if (can.threadAttach()) {
                device.attachThread();
            }
            if (can.resetProof()) {
                device.reset();
                device.close();
            }
            return new Subject(can, suite.faults());
        } catch (DriverException e) {
            throw new IllegalStateException("the device under test can't be opened: " + e.getMessage(), e);
        }
    }

    private static Object instance(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return outer == null || Modifier.isStatic(type.getModifiers())
                ? ReflectionSupport.newInstance(type)
                : ReflectionSupport.newInstance(type, instance(outer));
    }
}
