package dev.baton.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The structure of DESIGN section 2 as rules that can fail. */
class ArchitectureTest {
    /** The rules can't pass on nothing: so many classes are there at least. */
    private static final int CLASSES_AT_LEAST = 300;

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.baton");

    private static final String[] CORE = {
        "dev.baton.context..", "dev.baton.ledger..", "dev.baton.lane..", "dev.baton.build..", "dev.baton.supervision.."
    };

    @Test
    void thereIsSomethingToCheck() {
        assertThat(ALL.size()).isGreaterThan(CLASSES_AT_LEAST);
    }

    @Test
    void everythingDependsOnTheProtocolAndNotTheOtherWay() {
        noClasses()
                .that()
                .resideInAPackage("dev.baton.protocol..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.baton.context..",
                        "dev.baton.ledger..",
                        "dev.baton.lane..",
                        "dev.baton.build..",
                        "dev.baton.runtime..",
                        "dev.baton.supervision..",
                        "dev.baton.sim..",
                        "dev.baton.testkit..",
                        "dev.baton.cli..")
                .check(ALL);
    }

    @Test
    void driversKnowOnlyTheProtocol() {
        classes()
                .that()
                .resideInAPackage("dev.baton.sim..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.baton.sim..", "dev.baton.protocol..", "java..", "org.jspecify..")
                .check(ALL);
        classes()
                .that()
                .resideInAPackage("dev.baton.jna..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.baton.jna..", "dev.baton.protocol..", "com.sun.jna..", "java..", "org.jspecify..")
                .check(ALL);
    }

    @Test
    void actorsDoNotKnowTheDoor() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.baton.context..", "dev.baton.ledger..", "dev.baton.lane..", "dev.baton.build..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.baton.supervision..", "dev.baton.testkit..", "dev.baton.sim..")
                .check(ALL);
    }

    @Test
    void decisionsKnowNoPekko() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.baton.ledger..", "dev.baton.lane..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.pekko..")
                .check(ALL);
        // a build may name other devices, so its interfaces carry actor references; nothing else of Pekko
        noClasses()
                .that()
                .resideInAPackage("dev.baton.build..")
                .should()
                .dependOnClassesThat(com.tngtech.archunit.base.DescribedPredicate.describe(
                        "Pekko classes other than ActorRef",
                        c -> c.getPackageName().startsWith("org.apache.pekko")
                                && !c.getName().equals("org.apache.pekko.actor.typed.ActorRef")))
                .check(ALL);
    }

    @Test
    void theTestRuntimeKnowsNothingOfBatonsActors() {
        noClasses()
                .that()
                .resideInAPackage("dev.baton.testkit.runtime..")
                .should()
                .dependOnClassesThat(com.tngtech.archunit.base.DescribedPredicate.describe(
                        "Baton's classes other than the driver SPI",
                        c -> c.getPackageName().startsWith("dev.baton.")
                                && !c.getPackageName().startsWith("dev.baton.testkit.runtime")
                                && !c.getPackageName().startsWith("dev.baton.protocol.driver")))
                .check(ALL);
    }

    @Test
    void nativeAccessIsInOneModule() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.baton.jna..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.sun.jna..")
                .check(ALL);
    }

    @Test
    void internalPackagesStayInside() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.baton.internal..", "dev.baton..internal..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.baton..internal..")
                .check(ALL);
    }

    @Test
    void theCoreReadsNoClockNoRandomSourceAndTakesNoLock() {
        noClasses()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.concurrent.locks..", "java.time.chrono..")
                .check(ALL);
        noClasses()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.util\\.(Random|SplittableRandom|UUID)|java\\.time\\.(Clock|Instant)|.*ThreadLocalRandom")
                .check(ALL);
        noClasses()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .callMethod(System.class, "nanoTime")
                .check(ALL);
        // the epoch's origin is read once, at the edge where a host opens a device
        noClasses()
                .that()
                .resideInAnyPackage(CORE)
                .and()
                .doNotHaveSimpleName("Devices")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .check(ALL);
        noMethods()
                .that()
                .areDeclaredInClassesThat()
                .resideInAnyPackage("dev.baton..")
                .should()
                .haveModifier(JavaModifier.SYNCHRONIZED)
                .check(ALL);
        assertThat(methods()).isNotNull();
    }

    @Test
    void threadsAreStartedInTheRuntimesOnly() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.baton.context..",
                        "dev.baton.ledger..",
                        "dev.baton.lane..",
                        "dev.baton.build..",
                        "dev.baton.supervision..",
                        "dev.baton.sim..")
                .should()
                .callConstructor(Thread.class, Runnable.class)
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .check(ALL);
    }
}
