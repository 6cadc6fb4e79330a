package dev.baton.lane;

import dev.baton.protocol.RunPhase;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The life of a run as one transition table, checked when this class loads; the diagram in docs/lifecycle.md is generated from
 * it.
 */
public final class Lifecycle {
    /** What happens to a run. */
    public enum Event {
        /** A preparation begins. */
        BEGIN,
        PREPARED,
        /** It needs a value (B5) or its driver needs the front (N6). */
        DEFERRED,
        /** Over without a finalize: never prepared, or its attempt was aborted. */
        ENDED,
        /** Launch is called. */
        LAUNCH,
        LAUNCHED,
        LAUNCH_FAILED,
        /** The device has ended executing it. */
        EXECUTED,
        /** Finalize is called for another reason than an end on the device. */
        FINALIZE,
        FINALIZED,
        /** Its slot died, or a call of it never returned. */
        LOST,
        /** Discharged and answered. */
        RETIRE
    }

    private static final Map<RunPhase, Map<Event, RunPhase>> TABLE = new EnumMap<>(RunPhase.class);

    static {
        on(RunPhase.QUEUED, Event.BEGIN, RunPhase.PREPARING);
        on(RunPhase.QUEUED, Event.ENDED, RunPhase.FINALIZED);
        on(RunPhase.QUEUED, Event.LOST, RunPhase.FINALIZED);
        on(RunPhase.PREPARING, Event.PREPARED, RunPhase.PREPARED);
        on(RunPhase.PREPARING, Event.DEFERRED, RunPhase.DEFERRED);
        on(RunPhase.PREPARING, Event.ENDED, RunPhase.FINALIZED);
        on(RunPhase.PREPARING, Event.LOST, RunPhase.FINALIZED);
        on(RunPhase.DEFERRED, Event.BEGIN, RunPhase.PREPARING);
        on(RunPhase.DEFERRED, Event.ENDED, RunPhase.FINALIZED);
        on(RunPhase.DEFERRED, Event.LOST, RunPhase.FINALIZED);
        on(RunPhase.PREPARED, Event.LAUNCH, RunPhase.LAUNCHING);
        on(RunPhase.PREPARED, Event.FINALIZE, RunPhase.FINALIZING);
        on(RunPhase.PREPARED, Event.LOST, RunPhase.FINALIZED);
        on(RunPhase.LAUNCHING, Event.LAUNCHED, RunPhase.LAUNCHED);
        on(RunPhase.LAUNCHING, Event.LAUNCH_FAILED, RunPhase.FINALIZING);
        on(RunPhase.LAUNCHING, Event.LOST, RunPhase.FINALIZED);
        on(RunPhase.LAUNCHED, Event.EXECUTED, RunPhase.EXECUTED);
        on(RunPhase.LAUNCHED, Event.FINALIZE, RunPhase.FINALIZING);
        on(RunPhase.LAUNCHED, Event.LOST, RunPhase.FINALIZED);
        on(RunPhase.EXECUTED, Event.FINALIZED, RunPhase.FINALIZED);
        on(RunPhase.EXECUTED, Event.LOST, RunPhase.FINALIZED);
        on(RunPhase.FINALIZING, Event.FINALIZED, RunPhase.FINALIZED);
        on(RunPhase.FINALIZING, Event.LOST, RunPhase.FINALIZED);
        on(RunPhase.FINALIZED, Event.RETIRE, RunPhase.RETIRED);
        check();
    }

    private Lifecycle() {}

    private static void on(RunPhase from, Event event, RunPhase to) {
        RunPhase before =
                TABLE.computeIfAbsent(from, f -> new EnumMap<>(Event.class)).put(event, to);
        if (before != null) {
            throw new IllegalStateException("duplicate transition " + from + " " + event);
        }
    }

    private static void check() {
        if (TABLE.containsKey(RunPhase.RETIRED)) {
            throw new IllegalStateException("a transition leads out of the final state");
        }
        Set<RunPhase> reached = EnumSet.of(RunPhase.QUEUED);
        Deque<RunPhase> open = new ArrayDeque<>(reached);
        while (!open.isEmpty()) {
            for (RunPhase to : TABLE.getOrDefault(open.poll(), Map.of()).values()) {
                if (reached.add(to)) {
                    open.add(to);
                }
            }
        }
        if (!reached.equals(EnumSet.allOf(RunPhase.class))) {
            throw new IllegalStateException("phases never reached: " + EnumSet.complementOf(EnumSet.copyOf(reached)));
        }
        for (RunPhase p : RunPhase.values()) {
            if (p != RunPhase.RETIRED && TABLE.getOrDefault(p, Map.of()).isEmpty()) {
                throw new IllegalStateException("no way out of " + p);
            }
        }
    }

    /**
     * The phase that follows.
     *
     * @throws IllegalStateException for an event that has no place in a phase: a defect of Baton's own
     */
    static RunPhase next(RunPhase from, Event event, String run) {
        RunPhase to = TABLE.getOrDefault(from, Map.of()).get(event);
        if (to == null) {
            throw new IllegalStateException(
                    "run=" + run + " phase=" + from + " event=" + event + ": no such transition");
        }
        return to;
    }

    /** The table, for tests and diagrams. */
    public static Map<RunPhase, Map<Event, RunPhase>> table() {
        Map<RunPhase, Map<Event, RunPhase>> copy = new EnumMap<>(RunPhase.class);
        TABLE.forEach((k, v) -> copy.put(k, new EnumMap<>(v)));
        return copy;
    }

    /** The table as a Mermaid state diagram. */
    public static String mermaid() {
        StringBuilder text = new StringBuilder("stateDiagram-v2\n    [*] --> QUEUED\n");
        TABLE.forEach((from, events) -> events.forEach((event, to) -> text.append("    ")
                .append(from)
                .append(" --> ")
                .append(to)
                .append(" : ")
                .append(event)
                .append('\n')));
        return text.append("    RETIRED --> [*]\n").toString();
    }
}
