package dev.baton.testkit.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.Lease;
import dev.baton.protocol.RunId;
import dev.baton.protocol.RunPhase;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a running scenario knows: its names, and what was heard. */
final class World {
    /** One thread for the life of each actor. */
    static final String PINNED_DISPATCHER = "baton.pinned-dispatcher";

    /** Dispatchers of devices under a deterministic runtime. */
    static final Config DISPATCHERS = ConfigFactory.parseString("""
            baton {
              device-dispatcher { type = Dispatcher, executor = "default-executor", throughput = 1, throughput-deadline-time = 0ms }
              blocking-dispatcher {
                type = Dispatcher
                executor = "dev.baton.testkit.runtime.BlockingExecutorConfigurator"
                throughput = 1
                throughput-deadline-time = 0ms
              }
              pinned-dispatcher = ${baton.blocking-dispatcher} { pinned = on }
            }
            """);

    /** A buffer of the file. */
    record Buffer(@Nullable BufferHandle handle, long address, long bytes) {}

    /** A run of the file. */
    static final class Run {
        final String name;

        @Nullable
        RunId id;

        final Set<RunPhase> phases = EnumSet.noneOf(RunPhase.class);

        @Nullable
        Object first;

        @Nullable
        Object finished;
        /** Steps that are sent in the turn in which its answer is seen. */
        final List<Runnable> after = new ArrayList<>();

        Run(String name) {
            this.name = name;
        }
    }

    /** An answer that is owed to a step. */
    static final class Pending {
        @Nullable
        Object reply;

        @Nullable
        JsonNode expect;
    }

    final Map<String, Buffer> buffers = new LinkedHashMap<>();
    final Map<String, Run> runs = new HashMap<>();
    final Map<String, Pending> replies = new HashMap<>();
    /** Labels of the driver's calls that steps hold, where they are not the step's own name. */
    final Map<String, String> calls = new HashMap<>();

    final Map<String, Lease> leases = new HashMap<>();

    /** Runs that were told to hang on the device and have not ended. */
    final Set<String> hangs = new java.util.HashSet<>();

    List<String> hanging() {
        return hangs.stream()
                .filter(name -> {
                    Run run = runs.get(name);
                    return run != null && run.finished == null;
                })
                .toList();
    }

    Run run(String name) {
        Run run = runs.get(name);
        if (run == null) {
            throw new ScenarioError("unknown run '" + name + "'");
        }
        return run;
    }

    Buffer buffer(String name) {
        Buffer buffer = buffers.get(name);
        if (buffer == null) {
            throw new ScenarioError("unknown buffer '" + name + "'");
        }
        return buffer;
    }

    Pending reply(String name) {
        Pending pending = replies.get(name);
        if (pending == null) {
            throw new ScenarioError("unknown reply '" + name + "'");
        }
        return pending;
    }
}
