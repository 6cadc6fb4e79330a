package dev.baton.build;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** How many tasks an attempt emitted, by scope, for people. One thread at a time, by the turns of {@link DriverCalls}. */
final class EmittedTasks {
    /** Scopes told by name; the tasks of more are summed up. */
    static final int MAX_SCOPES_TOLD = 16;

    private final Map<String, Integer> byScope = new LinkedHashMap<>();
    private int all;
    private int untold;

    void add(String scope) {
        all++;
        if (scope.isEmpty()) {
            return;
        }
        if (byScope.containsKey(scope) || byScope.size() < MAX_SCOPES_TOLD) {
            byScope.merge(scope, 1, Integer::sum);
        } else {
            untold++;
        }
    }

    /** As in {@code 3 tasks: init 2, step 1}. */
    @Override
    public String toString() {
        String told = byScope.entrySet().stream()
                .map(e -> e.getKey() + " " + e.getValue())
                .collect(Collectors.joining(", "));
        return all
                + (all == 1 ? " task" : " tasks")
                + (told.isEmpty() ? "" : ": " + told)
                + (untold == 0 ? "" : ", other scopes " + untold);
    }
}
