package dev.baton.build;

import dev.baton.protocol.build.Access;
import dev.baton.protocol.driver.DeviceRuntime;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

/**
 * What all scopes of one attempt share.
 *
 * @param number counted from 1
 * @param kernel the callable's own
 * @param allocated what the attempt allocated and has not freed
 * @param watcher of refusals, for tests of races
 */
record Attempt(
        int number,
        String runName,
        String kernel,
        List<BuildArgument> arguments,
        Tensors tensors,
        DriverCalls calls,
        DeviceRuntime runtime,
        BuildServices services,
        ConcurrentLinkedQueue<BuildSession.Allocation> allocated,
        AtomicReference<BiConsumer<Integer, Access>> watcher) {}
