package dev.baton.testkit.conformance;

import dev.baton.protocol.driver.Capabilities;
import java.util.Optional;
import java.util.function.BiPredicate;

/** What a clause of the contract is about: it binds only devices that have it. */
enum Trait {
    JOINED_LAUNCH((can, faults) -> can.joinedLaunch() && can.maxDepth() > 1),
    CONCURRENT_PREPARE((can, faults) -> can.concurrentPrepare() && can.maxDepth() > 1),
    THREAD_ATTACH((can, faults) -> can.threadAttach()),
    RESET_PROOF((can, faults) -> can.resetProof()),
    NO_RESET_PROOF((can, faults) -> !can.resetProof()),
    NON_BLOCKING((can, faults) -> can.nonBlocking()),
    BLOCKING((can, faults) -> !can.nonBlocking()),
    /** The author's hand can hold runs while they execute. */
    HOLDS((can, faults) -> faults.isPresent() && faults.get().holds());

    private final BiPredicate<Capabilities, Optional<DriverFaults>> has;

    Trait(BiPredicate<Capabilities, Optional<DriverFaults>> has) {
        this.has = has;
    }

    boolean of(Capabilities can, Optional<DriverFaults> faults) {
        return has.test(can, faults);
    }
}
