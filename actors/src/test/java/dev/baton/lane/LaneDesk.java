package dev.baton.lane;

import dev.baton.build.Fence;
import dev.baton.ledger.Callables;
import dev.baton.ledger.RunEnd;
import dev.baton.ledger.RunWork;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunId;
import dev.baton.protocol.RunPhase;
import dev.baton.protocol.driver.Finalization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A lane whose ledger grants all, and a few words to play its slots. What it asks for is kept in {@link #said}. */
final class LaneDesk implements LanePort {
    static final Duration LIMIT = Duration.ofSeconds(3);
    private static final Callables.Entry NO_CALLABLE = callable();

    final List<String> said = new ArrayList<>();
    final Map<Long, RunEnd> ends = new LinkedHashMap<>();
    final List<Long> unproven = new ArrayList<>();
    final List<String> timers = new ArrayList<>();
    final List<RunPhase> phases = new ArrayList<>();
    final List<Object> replies = new ArrayList<>();
    final Lane lane;
    /** Whether the ledger answers at once. */
    boolean grants = true;

    private final Map<Long, Integer> attempts = new LinkedHashMap<>();
    private final List<Runnable> later = new ArrayList<>();
    private long last;

    LaneDesk(int depth, boolean concurrent, boolean joined) {
        this(new LaneSettings(depth, concurrent, joined, null, Duration.ofSeconds(1)));
    }

    LaneDesk(LaneSettings settings) {
        lane = new Lane(settings, this);
    }

    @SuppressWarnings("NullAway") // a lane never looks into it
    private static Callables.Entry callable() {
        return null;
    }

    /** What a run may be like. */
    static final class Kind {
        boolean joinable = true;
        boolean exclusive;
        boolean held;
        boolean hostOutputs;
        boolean blocked;

        @Nullable
        Duration queue;

        @Nullable
        Duration execution;
    }

    /** Admits runs named by their numbers, in dispatch order. */
    long admit(int slot) {
        return admit(slot, new Kind());
    }

    long admit(int slot, Kind k) {
        return admit(slot, last + 1, k);
    }

    long admit(int slot, long dispatch, Kind k) {
        long n = ++last;
        RunWork work = new RunWork(
                new RunId("dev", 7, n),
                "r" + n,
                NO_CALLABLE,
                List.of(),
                dispatch,
                n,
                k.joinable,
                k.exclusive,
                k.held,
                k.hostOutputs,
                k.queue,
                k.execution);
        lane.admitted(work, slot, k.blocked);
        settle();
        return n;
    }

    /** Lets the ledger answer, and what follows. */
    void settle() {
        while (grants && !later.isEmpty()) {
            later.remove(0).run();
        }
    }

    private void go() {
        lane.go();
        settle();
    }

    int attempt(long run) {
        return attempts.getOrDefault(run, 0);
    }

    void prepared(long run) {
        lane.reports().prepared(run, attempt(run), "");
        go();
    }

    void launched(long run) {
        lane.reports().launched(run, attempt(run));
        go();
    }

    void executed(long run) {
        lane.reports().executed(run, attempt(run), null);
        go();
    }

    void executedBadly(long run) {
        lane.reports().executed(run, attempt(run), "it broke");
        go();
    }

    void finalized(long run) {
        finalized(run, Finalization.Outcome.COMPLETED);
    }

    void finalized(long run, Finalization.Outcome outcome) {
        lane.reports().finalized(run, attempt(run), new Finalization(outcome, "why"), List.of(), List.of());
        go();
    }

    void report(Runnable what) {
        what.run();
        go();
    }

    /** To LAUNCHED, at the front. */
    long launchedRun(int slot, Kind k) {
        long run = admit(slot, k);
        prepared(run);
        launched(run);
        return run;
    }

    @Nullable
    FailureReason reason(long run) {
        RunEnd end = ends.get(run);
        if (end == null) {
            throw new AssertionError("run " + run + " has not ended; said " + said);
        }
        RunFailure f = end.failure();
        return f == null ? null : f.reason();
    }

    String code() {
        Object reply = replies.get(replies.size() - 1);
        return reply instanceof Reply.Refused r
                ? r.refusal().code().name()
                : reply.getClass().getSimpleName();
    }

    RunPhase phase(long run) {
        return lane.view().stream()
                .filter(v -> v.work().number() == run)
                .map(Lane.RunView::phase)
                .findFirst()
                .orElse(RunPhase.RETIRED);
    }

    // ---- LanePort

    @Override
    public void prepare(int slot, RunWork work, int attempt, boolean early, Fence fence) {
        attempts.put(work.number(), attempt);
        said.add("prepare " + work.number() + (early ? " early" : ""));
    }

    @Override
    public void launch(int slot, RunWork work) {
        said.add("launch " + work.number());
    }

    @Override
    public void finalizeRun(int slot, RunWork work) {
        said.add("finalize " + work.number());
    }

    @Override
    public void stopWaiting(int slot, RunWork work, boolean drain) {
        said.add("stop " + work.number() + (drain ? " drain" : ""));
    }

    @Override
    public void interrupt(RunWork work) {
        said.add("interrupt " + work.number());
    }

    @Override
    public void copyBack(int slot, RunWork work) {
        said.add("copy-back " + work.number());
    }

    @Override
    public void begin(long run, int attempt, boolean early, long admissionsSeen) {
        later.add(() -> lane.beginGranted(run, attempt, Fence.EMPTY));
    }

    @Override
    public void askLaunch(long run) {
        later.add(() -> lane.launchGranted(run));
    }

    @Override
    public void askCopyBack(long run) {
        later.add(() -> lane.copyBackGranted(run, null));
    }

    @Override
    public void unproven(long run, RunFailure failure, List<Object> retained) {
        unproven.add(run);
        said.add("unproven " + run);
    }

    @Override
    public void poisoned(long run, RunFailure failure) {
        said.add("poisoned " + run);
    }

    @Override
    public void discharge(long run, RunEnd end) {
        if (ends.put(run, end) != null) {
            throw new AssertionError("run " + run + " is discharged twice");
        }
        said.add("end " + run);
    }

    @Override
    public void reply(long token, Object reply) {
        replies.add(reply);
    }

    @Override
    public void phase(RunWork work, RunPhase phase, int slot, int attempt, String detail) {
        phases.add(phase);
    }

    @Override
    public void quarantined(int slot, RunWork work, String call) {
        said.add("quarantined " + slot + " " + call);
    }

    @Override
    public void startTimer(TimerKind kind, long run, Duration after) {
        timers.add(kind + " " + run);
    }

    @Override
    public void cancelTimer(TimerKind kind, long run) {
        timers.remove(kind + " " + run);
    }
}
