package dev.baton.testkit.junit;

import dev.baton.context.DeviceSettings;
import dev.baton.sim.SimSettings;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * On a method: a test that gets a fresh {@link TestDevice}, once for each seed under the deterministic runtime, and {@link #threads}
 * times on real threads. On a class: the device of its tests that ask for one; a plain {@code @Test} gets the first seed.
 *
 * <p>A failure names its seed; {@code -Dbaton.seed=N} runs that seed alone, and it fails the same way.
 */
@Documented
@Inherited
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(BatonExtension.class)
public @interface BatonDevice {
    /** Slots. */
    int depth() default 2;

    /** Runs that may wait without a slot. */
    int queue() default 16;

    /** Memory in bytes. */
    long memory() default 1 << 20;

    /** Whether runs are prepared while one executes. */
    boolean concurrentPrepare() default true;

    /** Whether runs are launched behind a launched one; needs {@link #concurrentPrepare}. */
    boolean joinedLaunch() default true;

    /** The first seed. */
    long firstSeed() default 1;

    /** How many seeds, each a test of its own; none: real threads only. */
    int seeds() default 50;

    /** How often the test runs on real threads. */
    int threads() default 0;

    /** What else is to be set; needs a constructor without parameters. */
    Class<? extends Settings> settings() default Settings.class;

    /** Changes settings that have no place in the annotation. */
    class Settings {
        /** The simulated device's: kernels of the test's own, how long things take. */
        public SimSettings sim(SimSettings from) {
            return from;
        }

        /** Baton's: limits and bounds. */
        public DeviceSettings device(DeviceSettings from) {
            return from;
        }
    }
}
