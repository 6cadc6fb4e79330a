package dev.baton.protocol.driver;

import java.util.ArrayList;
import java.util.List;

/**
 * What a device declares when it opens.
 *
 * @param driver the driver's name
 * @param version the driver's version
 * @param maxDepth most slots that the driver supports
 * @param concurrentPrepare a successor can be prepared while a run executes (N3)
 * @param joinedLaunch a run can be launched behind a launched one and waits on the device (N4); needs concurrentPrepare
 * @param hostBuild runs may have a host build; if not, the graph is built on the device
 * @param threadAttach each thread must be attached before its first call
 * @param nonBlocking no call of a run blocks, and completion is told through the listener: calls are made without a hop
 * @param alignment of allocations in bytes, a power of two
 * @param memoryBytes size of the device's memory
 * @param cancelsBehindFailure work behind failed work is dropped by the device
 * @param resetProof a reset can prove that the device is quiet
 */
public record Capabilities(
        String driver,
        String version,
        int maxDepth,
        boolean concurrentPrepare,
        boolean joinedLaunch,
        boolean hostBuild,
        boolean threadAttach,
        boolean nonBlocking,
        long alignment,
        long memoryBytes,
        boolean cancelsBehindFailure,
        boolean resetProof) {

    /** One sentence for each thing that is wrong; empty if all is well. */
    public List<String> errors() {
        List<String> errors = new ArrayList<>();
        if (driver == null || driver.isBlank()) {
            errors.add("driver: the name is missing");
        }
        if (version == null || version.isBlank()) {
            errors.add("version: the version is missing");
        }
        if (maxDepth < 1) {
            errors.add("maxDepth=" + maxDepth + ": at least one slot is needed");
        }
        if (joinedLaunch && !concurrentPrepare) {
            errors.add(
                    "joinedLaunch: needs concurrentPrepare, since a run is prepared before it is launched behind another");
        }
        if (Long.bitCount(alignment) != 1 || alignment < 1) {
            errors.add("alignment=" + alignment + ": must be a power of two");
        }
        if (memoryBytes < 1) {
            errors.add("memoryBytes=" + memoryBytes + ": must be positive");
        }
        return errors;
    }

    /** The named profile that these capabilities make. */
    public Profile profile() {
        if (!concurrentPrepare) {
            return Profile.SERIAL;
        }
        if (!hostBuild) {
            return Profile.NO_BUILD;
        }
        return joinedLaunch ? Profile.JOINED : Profile.PREPARE_ONLY;
    }
}
