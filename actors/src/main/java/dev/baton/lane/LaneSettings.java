package dev.baton.lane;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the lane must know of its device.
 *
 * @param depth slots
 * @param concurrentPrepare the driver supports preparing a successor early (N3)
 * @param joinedLaunch the driver supports launching behind a launched run (N4)
 * @param callLimit limit of one driver call, or null for none (N11)
 * @param closeGrace how long a finalize may go on after the close-timeout has cut its wait short
 */
public record LaneSettings(
        int depth,
        boolean concurrentPrepare,
        boolean joinedLaunch,
        @Nullable Duration callLimit,
        Duration closeGrace) {}
