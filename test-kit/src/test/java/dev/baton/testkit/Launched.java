package dev.baton.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs a test class that is meant to fail, and tells how. */
public final class Launched {
    private final Map<String, String> failures = new TreeMap<>();
    private final Set<String> failedMethods = new TreeSet<>();
    private int run;

    private Launched() {}

    /** Runs all tests of a class. */
    public static Launched of(Class<?> tests) {
        Launched launched = new Launched();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(tests))
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "false")
                .build();
        LauncherFactory.create().execute(request, launched.new Listener());
        return launched;
    }

    /** Messages of failed tests, by display name. */
    public Map<String, String> failures() {
        return failures;
    }

    /** Names of methods of which a test failed. */
    public Set<String> failedMethods() {
        return failedMethods;
    }

    /** Number of tests that ran. */
    public int run() {
        return run;
    }

    private final class Listener implements TestExecutionListener {
        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest()) {
                run++;
                if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                    test.getSource()
                            .filter(MethodSource.class::isInstance)
                            .ifPresent(source -> failedMethods.add(((MethodSource) source).getMethodName()));
                    failures.put(
                            test.getDisplayName(),
                            result.getThrowable().map(Throwable::getMessage).orElse(""));
                }
            }
        }
    }
}
