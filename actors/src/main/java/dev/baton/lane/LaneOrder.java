package dev.baton.lane;

import dev.baton.protocol.RunId;
import dev.baton.protocol.RunName;
import dev.baton.protocol.RunPhase;
import dev.baton.protocol.RunTarget;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The live runs in dispatch order, and who may be prepared or launched now (N1, N3, N4, N5, N7). */
final class LaneOrder {
    private final LaneSettings settings;
    private final TreeMap<Long, LaneRun> byDispatch = new TreeMap<>();
    private final Map<Long, LaneRun> byNumber = new HashMap<>();
    /** Those that hold slots, at most so many as there are slots: all that can be prepared or launched. */
    private final TreeMap<Long, LaneRun> inSlots = new TreeMap<>();
    /** Those whose end is known and not told yet. */
    private final TreeMap<Long, LaneRun> finalized = new TreeMap<>();

    LaneOrder(LaneSettings settings) {
        this.settings = settings;
    }

    void add(LaneRun run) {
        byDispatch.put(run.work.dispatch(), run);
        byNumber.put(run.number(), run);
        slot(run, run.slot);
    }

    /** A run holds a slot now, or none (-1). */
    void slot(LaneRun run, int slot) {
        run.slot = slot;
        if (slot >= 0) {
            inSlots.put(run.work.dispatch(), run);
        } else {
            inSlots.remove(run.work.dispatch());
        }
    }

    void finalized(LaneRun run) {
        finalized.put(run.work.dispatch(), run);
    }

    /** Runs that hold slots, in dispatch order. */
    Collection<LaneRun> inSlots() {
        return inSlots.values();
    }

    boolean noneFinalized() {
        return finalized.isEmpty();
    }

    /** Runs whose end is known and not told yet, in dispatch order; a copy, since some will be retired. */
    List<LaneRun> finalizedRuns() {
        return new ArrayList<>(finalized.values());
    }

    void remove(LaneRun run) {
        byDispatch.remove(run.work.dispatch());
        byNumber.remove(run.number());
        inSlots.remove(run.work.dispatch());
        finalized.remove(run.work.dispatch());
    }

    @Nullable
    LaneRun find(long number) {
        return byNumber.get(number);
    }

    @Nullable
    LaneRun find(RunTarget target) {
        if (target instanceof RunId id) {
            LaneRun run = byNumber.get(id.number());
            return run != null && run.work.id().equals(id) ? run : null;
        }
        String name = ((RunName) target).name();
        LaneRun last = null;
        for (LaneRun run : byDispatch.values()) {
            if (run.work.name().equals(name) && (last == null || run.number() > last.number())) {
                last = run;
            }
        }
        return last;
    }

    Collection<LaneRun> inOrder() {
        return byDispatch.values();
    }

    /** A copy, for loops that retire runs. */
    List<LaneRun> snapshot() {
        return new ArrayList<>(byDispatch.values());
    }

    boolean isEmpty() {
        return byDispatch.isEmpty();
    }

    private Collection<LaneRun> ahead(LaneRun run) {
        return byDispatch.headMap(run.work.dispatch(), false).values();
    }

    boolean atFront(LaneRun run) {
        return byDispatch.firstEntry().getValue() == run;
    }

    /** Whether a preparation may be asked for, as far as the lane can tell. */
    boolean mayBegin(LaneRun run) {
        boolean waiting = run.phase == RunPhase.QUEUED || run.phase == RunPhase.DEFERRED;
        if (!waiting || run.slot < 0 || run.blocked || run.ending() || run.asking != LaneRun.Asking.NOTHING) {
            return false;
        }
        if (atFront(run)) {
            return run.activated;
        }
        if (!settings.concurrentPrepare() || run.frontOnly || !joins(run)) {
            return false;
        }
        boolean front = true;
        for (LaneRun a : ahead(run)) {
            boolean good = a.launched || a.phase == RunPhase.PREPARED || a.phase == RunPhase.LAUNCHING;
            if (!good || !joins(a) || (front && !a.launched)) {
                return false;
            }
            front = false;
        }
        return true;
    }

    /** Whether a launch may be asked for, as far as the lane can tell. */
    boolean mayLaunch(LaneRun run) {
        if (run.phase != RunPhase.PREPARED || run.ending() || !run.activated || run.asking != LaneRun.Asking.NOTHING) {
            return false;
        }
        if (atFront(run)) {
            return true;
        }
        LaneRun before = byDispatch.lowerEntry(run.work.dispatch()).getValue();
        // behind a run that is known to have failed it would only be drained: it waits and is judged (R15)
        return settings.joinedLaunch()
                && before.launched
                && before.own == null
                && before.unproven == null
                && joins(before)
                && joins(run);
    }

    private static boolean joins(LaneRun run) {
        return run.work.joinable() && !run.work.exclusive();
    }

    /** Whether the end of a launched run may be told: no launched run ahead is unretired (N1). */
    boolean mayRetire(LaneRun run) {
        if (!run.launched) {
            return true;
        }
        for (LaneRun a : ahead(run)) {
            if (a.launched || a.launchCalled) {
                return false;
            }
        }
        return true;
    }

    /** Whether every run ahead is over, so that this one executes from now on (N11). */
    boolean allAheadOver(LaneRun run) {
        for (LaneRun a : ahead(run)) {
            if (!a.over) {
                return false;
            }
        }
        return true;
    }

    /** The nearest live run ahead, or null. */
    @Nullable
    LaneRun before(LaneRun run) {
        Map.Entry<Long, LaneRun> e = byDispatch.lowerEntry(run.work.dispatch());
        return e == null ? null : e.getValue();
    }
}
