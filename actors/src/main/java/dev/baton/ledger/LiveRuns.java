package dev.baton.ledger;

import dev.baton.protocol.RefusalCode;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The live runs in dispatch order, and which dispatch ids may still be given (N1). */
final class LiveRuns {
    /** Most separate intervals of ended ids above the floor; beyond it the floor is raised, which refuses more, never less. */
    static final int MAX_ENDED_INTERVALS = 4096;

    private final TreeMap<Long, LiveRun> byDispatch = new TreeMap<>();
    private final Map<Long, LiveRun> byNumber = new HashMap<>();
    /** Ended ids above the floor as merged intervals: first id to last id. */
    private final TreeMap<Long, Long> ended = new TreeMap<>();

    private long highestSeen = -1;
    /** Highest id of a run that ever began to prepare; -1 before any. */
    private long floor = -1;

    boolean isEmpty() {
        return byDispatch.isEmpty();
    }

    int size() {
        return byDispatch.size();
    }

    Collection<LiveRun> inOrder() {
        return byDispatch.values();
    }

    /** Live runs with a lower id, nearest last. */
    NavigableMap<Long, LiveRun> ahead(long dispatch) {
        return byDispatch.headMap(dispatch, false);
    }

    /** Live runs with ids between two, both exclusive. */
    Collection<LiveRun> between(long above, long below) {
        return above >= below
                ? java.util.List.of()
                : byDispatch.subMap(above, false, below, false).values();
    }

    @Nullable
    LiveRun find(long number) {
        return byNumber.get(number);
    }

    /** Why an id can't be given, or null if it can. */
    @Nullable
    RefusalCode refusalOf(long dispatch) {
        if (byDispatch.containsKey(dispatch)) {
            return RefusalCode.DUPLICATE_DISPATCH;
        }
        if (dispatch <= floor) {
            return RefusalCode.DISPATCH_ORDER;
        }
        Map.Entry<Long, Long> e = ended.floorEntry(dispatch);
        return e != null && e.getValue() >= dispatch ? RefusalCode.DISPATCH_ORDER : null;
    }

    /** The id of a run that gives none, or -1 if there is none left. */
    long next() {
        return highestSeen == Long.MAX_VALUE ? -1 : highestSeen + 1;
    }

    void add(LiveRun run) {
        byDispatch.put(run.dispatch, run);
        byNumber.put(run.id.number(), run);
        highestSeen = Math.max(highestSeen, run.dispatch);
    }

    void began(LiveRun run) {
        run.begun = true;
        if (run.dispatch > floor) {
            floor = run.dispatch;
            dropEndedBelowFloor();
        }
    }

    void remove(LiveRun run) {
        byDispatch.remove(run.dispatch);
        byNumber.remove(run.id.number());
        if (run.dispatch > floor) {
            addEnded(run.dispatch);
        }
    }

    /** Whether a live or future run may have an id between two. */
    boolean mayHoldARun(long above, long below) {
        return below > floor + 1 || !between(above, below).isEmpty();
    }

    private void addEnded(long id) {
        long from = id;
        long to = id;
        Map.Entry<Long, Long> before = ended.floorEntry(id);
        if (before != null && before.getValue() == id - 1) {
            from = before.getKey();
        }
        Long after = id == Long.MAX_VALUE ? null : ended.remove(id + 1);
        if (after != null) {
            to = after;
        }
        ended.put(from, to);
        while (ended.size() > MAX_ENDED_INTERVALS) {
            Map.Entry<Long, Long> first = ended.firstEntry();
            floor = Math.max(floor, first.getValue());
            dropEndedBelowFloor();
        }
    }

    private void dropEndedBelowFloor() {
        while (!ended.isEmpty() && ended.firstEntry().getValue() <= floor) {
            ended.pollFirstEntry();
        }
    }
}
