package dev.baton.testkit.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test of a clause that binds some devices only: for a device that lacks what it needs there is no such test, so that
 * nothing is skipped.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(ClauseSelection.class)
@interface Clause {
    /** What the device must have. */
    Trait[] needs() default {};

    /** Where the author's hand must be able to make runs fail. */
    DriverFaults.FailPoint[] fails() default {};
}
