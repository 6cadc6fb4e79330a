package dev.baton.ledger;

import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.build.HostBuild;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The callables that a device knows. */
public final class Callables {
    private final Map<String, Entry> byName = new HashMap<>();

    /** One callable. */
    public static final class Entry {
        final CallableSpec spec;
        final @Nullable HostBuild build;
        /** The driver has not answered yet; runs that use it wait. */
        boolean registering = true;
        /** Why the driver refused it. */
        @Nullable
        String failure;

        int liveRuns;

        Entry(CallableSpec spec, @Nullable HostBuild build) {
            this.spec = spec;
            this.build = build;
        }

        /** What the driver was told. */
        public CallableSpec spec() {
            return spec;
        }

        /** User code run while a run is prepared, or null. */
        public @Nullable HostBuild build() {
            return build;
        }
    }

    @Nullable
    Entry find(String name) {
        return byName.get(name);
    }

    int size() {
        return byName.size();
    }

    void put(Entry entry) {
        byName.put(entry.spec.name(), entry);
    }

    void remove(Entry entry) {
        byName.remove(entry.spec.name(), entry);
    }

    Iterable<Entry> all() {
        return byName.values();
    }
}
