package dev.baton.context;

import com.typesafe.config.Config;
import dev.baton.ledger.LedgerLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of one device, immutable. Every bound has a name here; beyond one the answer is BUSY (QUEUE_FULL for runs).
 *
 * @param depth slots, that is runs that may be prepared or launched at once (N2)
 * @param queue runs that may wait beyond the slots
 * @param pendingCopies copies that may be under way or waiting
 * @param pendingMemoryCalls allocations, frees and registrations that the platform has not answered
 * @param allocations entries of the table
 * @param callables registered callables
 * @param drainWaiters clients that may wait for a drain or a close
 * @param subscribers actors that may watch events
 * @param owedCommands commands that may be owed an answer
 * @param quarantinedThreads threads that may stand in calls which never return, over all epochs, before a reset is refused
 * @param closeTimeout how long a close waits before it finalizes without waiting, or null for ever (F3)
 * @param closeGrace how long a close then waits for finalizes under way
 * @param callLimit limit of one driver call, or null for none (N11)
 * @param waitStep longest single wait of a slot for its run
 * @param deviceDispatcher id of the single-threaded dispatcher that door, context, ledger and lane share
 * @param blockingDispatcher id of the dispatcher of slots and I/O: pinned threads
 */
public record DeviceSettings(
        int depth,
        int queue,
        int pendingCopies,
        int pendingMemoryCalls,
        int allocations,
        int callables,
        int drainWaiters,
        int subscribers,
        int owedCommands,
        int quarantinedThreads,
        @Nullable Duration closeTimeout,
        Duration closeGrace,
        @Nullable Duration callLimit,
        Duration waitStep,
        String deviceDispatcher,
        String blockingDispatcher) {

    public DeviceSettings {
        atLeast(1, depth, "depth");
        atLeast(0, queue, "queue");
        atLeast(1, pendingCopies, "pending-copies");
        atLeast(1, pendingMemoryCalls, "pending-memory-calls");
        atLeast(1, allocations, "allocations");
        atLeast(1, callables, "callables");
        atLeast(1, drainWaiters, "drain-waiters");
        atLeast(1, subscribers, "subscribers");
        atLeast(1, owedCommands, "owed-commands");
        atLeast(0, quarantinedThreads, "quarantined-threads");
    }

    private static void atLeast(int least, int value, String name) {
        if (value < least) {
            throw new IllegalArgumentException(name + "=" + value + " must be at least " + least);
        }
    }

    /** The defaults. */
    public static DeviceSettings defaults() {
        return new DeviceSettings(
                2,
                64,
                1024,
                1024,
                1 << 20,
                4096,
                1024,
                64,
                1 << 20,
                64,
                null,
                Duration.ofSeconds(1),
                null,
                Duration.ofSeconds(1),
                "baton.device-dispatcher",
                "baton.blocking-dispatcher");
    }

    /**
     * From a configuration, such as {@code baton.device} of {@code reference.conf} with what a host overrides.
     *
     * @throws com.typesafe.config.ConfigException if a setting is missing or of another type
     * @throws IllegalArgumentException if a bound is too low
     */
    public static DeviceSettings of(Config config) {
        return new DeviceSettings(
                config.getInt("depth"),
                config.getInt("queue"),
                config.getInt("pending-copies"),
                config.getInt("pending-memory-calls"),
                config.getInt("allocations"),
                config.getInt("callables"),
                config.getInt("drain-waiters"),
                config.getInt("subscribers"),
                config.getInt("owed-commands"),
                config.getInt("quarantined-threads"),
                orOff(config, "close-timeout"),
                config.getDuration("close-grace"),
                orOff(config, "call-limit"),
                config.getDuration("wait-step"),
                "baton.device-dispatcher",
                "baton.blocking-dispatcher");
    }

    private static @Nullable Duration orOff(Config config, String path) {
        return config.getString(path).equals("off") ? null : config.getDuration(path);
    }

    public DeviceSettings withDepth(int value) {
        return new DeviceSettings(
                value,
                queue,
                pendingCopies,
                pendingMemoryCalls,
                allocations,
                callables,
                drainWaiters,
                subscribers,
                owedCommands,
                quarantinedThreads,
                closeTimeout,
                closeGrace,
                callLimit,
                waitStep,
                deviceDispatcher,
                blockingDispatcher);
    }

    public DeviceSettings withQueue(int value) {
        return new DeviceSettings(
                depth,
                value,
                pendingCopies,
                pendingMemoryCalls,
                allocations,
                callables,
                drainWaiters,
                subscribers,
                owedCommands,
                quarantinedThreads,
                closeTimeout,
                closeGrace,
                callLimit,
                waitStep,
                deviceDispatcher,
                blockingDispatcher);
    }

    public DeviceSettings withPendingCopies(int value) {
        return new DeviceSettings(
                depth,
                queue,
                value,
                pendingMemoryCalls,
                allocations,
                callables,
                drainWaiters,
                subscribers,
                owedCommands,
                quarantinedThreads,
                closeTimeout,
                closeGrace,
                callLimit,
                waitStep,
                deviceDispatcher,
                blockingDispatcher);
    }

    public DeviceSettings withCloseTimeout(@Nullable Duration value) {
        return new DeviceSettings(
                depth,
                queue,
                pendingCopies,
                pendingMemoryCalls,
                allocations,
                callables,
                drainWaiters,
                subscribers,
                owedCommands,
                quarantinedThreads,
                value,
                closeGrace,
                callLimit,
                waitStep,
                deviceDispatcher,
                blockingDispatcher);
    }

    public DeviceSettings withCallLimit(@Nullable Duration value) {
        return new DeviceSettings(
                depth,
                queue,
                pendingCopies,
                pendingMemoryCalls,
                allocations,
                callables,
                drainWaiters,
                subscribers,
                owedCommands,
                quarantinedThreads,
                closeTimeout,
                closeGrace,
                value,
                waitStep,
                deviceDispatcher,
                blockingDispatcher);
    }

    public DeviceSettings withWaitStep(Duration value) {
        return new DeviceSettings(
                depth,
                queue,
                pendingCopies,
                pendingMemoryCalls,
                allocations,
                callables,
                drainWaiters,
                subscribers,
                owedCommands,
                quarantinedThreads,
                closeTimeout,
                closeGrace,
                callLimit,
                value,
                deviceDispatcher,
                blockingDispatcher);
    }

    public DeviceSettings withDispatchers(String device, String blocking) {
        return new DeviceSettings(
                depth,
                queue,
                pendingCopies,
                pendingMemoryCalls,
                allocations,
                callables,
                drainWaiters,
                subscribers,
                owedCommands,
                quarantinedThreads,
                closeTimeout,
                closeGrace,
                callLimit,
                waitStep,
                device,
                blocking);
    }

    LedgerLimits ledgerLimits() {
        return new LedgerLimits(depth, queue, pendingCopies, pendingMemoryCalls, allocations, callables, drainWaiters);
    }
}
