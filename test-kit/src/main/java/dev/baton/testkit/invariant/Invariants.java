package dev.baton.testkit.invariant;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.Holder;
import dev.baton.protocol.LaneState;
import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunId;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import dev.baton.sim.SimControl;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What must hold of one simulated device at every rest, whatever is asked of it and whatever fails. It is told what is sent and
 * heard, and looks at the device's status. The letters are those of the messages:
 *
 * <ul>
 *   <li>(a) the device is never misused, and touches only allocated memory for a run whose spans resolve;
 *   <li>(b) no allocation that a live run may reach is released or handed out again;
 *   <li>(c) reads see the last write ordered before them (the scenario's reference model checks it);
 *   <li>(d) one operator at a time executes, in dispatch order, and launched runs are answered in that order;
 *   <li>(e) nothing is answered twice, and a submit in the order of its answers;
 *   <li>(f) borrowers and writers in the status are exactly the live runs that name the buffer, in dispatch order;
 *   <li>(g) marks, poison and what is retained only grow within an epoch;
 *   <li>(h) what was refused changed no buffer;
 *   <li>(i) at the end everything is answered and nothing is held.
 * </ul>
 */
public final class Invariants {
    private static final Set<LaneState> TABLE_COUNTS =
            EnumSet.of(LaneState.OPEN, LaneState.POISONED, LaneState.CLOSING);
    /** Ends that the door decides, for all runs at once. */
    private static final Set<FailureReason> BY_THE_DOOR =
            EnumSet.of(FailureReason.RESET, FailureReason.INTERNAL, FailureReason.CLOSED);

    private final SimControl control;
    private final Operator operator = new Operator();
    private final List<Sent> runs = new ArrayList<>();
    private final Map<RunId, Sent> byId = new HashMap<>();
    private final List<Owed> owed = new ArrayList<>();
    private final List<Violation> found = new ArrayList<>();
    private Set<RunId> liveBefore = Set.of();
    private @Nullable DeviceStatus statusBefore;
    private final List<RunId> ended = new ArrayList<>();
    private long heard;
    private @Nullable RunId lastStarted;
    private @Nullable RunId lastEnded;

    /** Watches a device; its observer from now on. */
    public Invariants(SimControl control) {
        this.control = control;
        control.observe(operator);
    }

    /** Changes with everything that is heard. */
    public long heard() {
        return heard;
    }

    /** A submit is sent. */
    public Sent sent(RunRequest request, Signature signature) {
        Sent sent = new Sent(request, signature);
        runs.add(sent);
        return sent;
    }

    /** An answer to a submit has come. */
    public void heard(Sent run, RunReply reply) {
        heard++;
        if (reply instanceof RunReply.Accepted a) {
            once(run.accepted == null && !run.rejected && !run.finished, run, reply);
            run.accepted = a;
            byId.put(a.run(), run);
        } else if (reply instanceof RunReply.Rejected) {
            once(run.accepted == null && !run.rejected && !run.finished, run, reply);
            run.rejected = true;
        } else if (reply instanceof RunReply.Finished) {
            once(run.accepted != null && !run.finished, run, reply);
            run.finished = true;
        }
    }

    private void once(boolean holds, Sent run, RunReply reply) {
        if (!holds) {
            found.add(new Violation('e', "run " + run.name + " was answered out of order or twice: " + reply));
        }
    }

    /** An event of the device, in the order of the stream. */
    public void event(DeviceEvent event) {
        heard++;
        if (event instanceof DeviceEvent.RunEnded e && operator.started(e.run())) {
            RunFailure failure = e.failure();
            if (failure == null || !BY_THE_DOOR.contains(failure.reason())) {
                ended.add(e.run());
            }
        }
    }

    /** A command that is no submit is sent. */
    public Owed owed(String what) {
        Owed o = new Owed(what);
        owed.add(o);
        return o;
    }

    /** Its answer has come. */
    public void answered(Owed command, Object reply) {
        heard++;
        if (++command.answers > 1) {
            found.add(new Violation('e', command.what + " was answered twice, the second time with " + reply));
        }
    }

    /**
     * Checks at rest.
     *
     * @param status the status now
     * @param refused whether all that was sent since the last check is one command, which was refused
     */
    public void atRest(DeviceStatus status, boolean refused) {
        List<String> misuse = control.violations();
        require(misuse.isEmpty(), 'a', () -> "the device was misused: " + misuse);
        operator.strays.forEach(plan -> {
            Sent s = byId.get(plan.run());
            require(s == null || s.raw, 'a', () -> "run " + plan.name() + " touched memory that is not allocated");
        });
        operator.strays.clear();
        require(operator.overlaps.isEmpty(), 'd', () -> String.valueOf(operator.overlaps));
        if (!found.isEmpty()) {
            throw found.get(0);
        }
        dispatchOrder();
        boolean counts = status.tableKnown() && TABLE_COUNTS.contains(status.lane());
        DeviceStatus last = statusBefore;
        if (counts) {
            borrows(status);
            if (last != null && last.epoch() == status.epoch()) {
                reuse(last, status);
                Marks.onlyGrow(last, status);
                if (refused) {
                    require(
                            last.buffers().equals(status.buffers()),
                            'h',
                            () -> "a refused command changed the table from " + last.buffers() + " to "
                                    + status.buffers());
                }
            }
        }
        operator.changes.clear();
        statusBefore = counts ? status : null;
    }

    private void dispatchOrder() {
        for (RunId id : operator.started) {
            lastStarted = after(lastStarted, id, "started");
        }
        operator.started.clear();
        for (RunId id : ended) {
            lastEnded = after(lastEnded, id, "was answered");
        }
        ended.clear();
    }

    private RunId after(@Nullable RunId last, RunId id, String what) {
        Sent s = byId.get(id);
        if (s == null) {
            throw new Violation('d', "run " + id + " " + what + " and was never accepted");
        }
        Sent before = last != null && last.epoch() == id.epoch() ? byId.get(last) : null;
        if (before != null && before.dispatch() >= s.dispatch()) {
            throw new Violation(
                    'd', "run " + s.name + " " + what + " after run " + before.name + ", which is behind it");
        }
        return id;
    }

    private List<Sent> live(long epoch) {
        List<Sent> live = new ArrayList<>();
        for (Sent s : runs) {
            if (s.liveIn(epoch)) {
                live.add(s);
            }
        }
        live.sort(Comparator.comparingLong(Sent::dispatch));
        return live;
    }

    private void borrows(DeviceStatus status) {
        Set<RunId> inTable = new HashSet<>();
        long dispatch = -1;
        for (DeviceStatus.RunStatus r : status.runs()) {
            Sent s = byId.get(r.run());
            require(
                    s != null && s.live(),
                    'f',
                    () -> "run " + r.name() + " is live in the table, but not for its client");
            require(r.dispatch() > dispatch, 'f', () -> "the runs are not listed in dispatch order: " + status.runs());
            dispatch = r.dispatch();
            inTable.add(r.run());
        }
        List<Sent> live = live(status.epoch());
        List<Sent> holding = new ArrayList<>();
        for (int i = 0; i < live.size(); i++) {
            Sent s = live.get(i);
            RunReply.Accepted a = s.accepted;
            if (a != null && inTable.contains(a.run())) {
                holding.add(s);
            } else {
                // an unproven end out of turn is discharged at once; only its answer waits (F2)
                require(i > 0, 'f', () -> "run " + s.name + " is discharged and was not answered");
            }
        }
        Map<BufferHandle, DeviceStatus.BufferStatus> buffers = new HashMap<>();
        for (DeviceStatus.BufferStatus b : status.buffers()) {
            buffers.put(b.handle(), b);
            same(b, "borrowers", b.borrowers(), holding, false);
            same(b, "writers", b.writers(), holding, true);
        }
        for (Sent s : holding) {
            require(
                    buffers.keySet().containsAll(s.named),
                    'b',
                    () -> "a buffer of live run " + s.name + " is gone from the table");
        }
    }

    private void same(
            DeviceStatus.BufferStatus b, String what, List<Holder> holders, List<Sent> holding, boolean writers) {
        List<String> expected = new ArrayList<>();
        Set<String> byAddress = new HashSet<>();
        for (Sent s : holding) {
            if ((writers ? s.written : s.named).contains(b.handle())) {
                expected.add(s.name);
            } else if (s.raw) {
                byAddress.add(s.name);
            }
        }
        List<String> got = new ArrayList<>();
        for (Holder h : holders) {
            if (h.kind() == Holder.Kind.RUN && !byAddress.contains(h.name())) {
                got.add(h.name());
            }
        }
        require(
                expected.equals(got),
                'f',
                () -> what + " of " + b.name() + " are " + got + ", but the live runs that name it are " + expected);
    }

    private void reuse(DeviceStatus last, DeviceStatus now) {
        Set<RunId> liveNow = new HashSet<>();
        now.runs().forEach(r -> liveNow.add(r.run()));
        Set<BufferHandle> held = new HashSet<>();
        for (RunId id : liveBefore) {
            Sent s = byId.get(id);
            if (s != null && liveNow.contains(id)) {
                held.addAll(s.named);
            }
        }
        liveBefore = liveNow;
        for (DeviceStatus.BufferStatus b : last.buffers()) {
            for (Operator.Change c : operator.changes) {
                boolean overlaps =
                        !b.host() && c.address() < b.address() + b.bytes() && b.address() < c.address() + c.bytes();
                if (overlaps && (held.contains(b.handle()) || b.unreleasable())) {
                    throw new Violation(
                            'b', "memory of " + b.name() + " was " + (c.freed() ? "released" : "handed out again"));
                }
            }
        }
    }

    /** What is owed and was not answered. */
    public List<String> unanswered() {
        List<String> open = new ArrayList<>();
        for (Owed o : owed) {
            if (o.answers == 0) {
                open.add(o.what);
            }
        }
        for (Sent s : runs) {
            if (s.live() || s.accepted == null && !s.rejected) {
                open.add("submit " + s.name);
            }
        }
        return open;
    }

    /** Checks that everything was answered and nothing is held. */
    public void atEnd(DeviceStatus status) {
        List<String> open = unanswered();
        require(open.isEmpty(), 'i', () -> "not answered in the end: " + open);
        require(status.runs().isEmpty(), 'i', () -> "runs that are live in the end: " + status.runs());
        require(
                status.pendingCopies() == 0,
                'i',
                () -> "copies that are pending in the end: " + status.pendingCopies());
    }

    static void require(boolean holds, char letter, Supplier<String> message) {
        if (!holds) {
            throw new Violation(letter, message.get());
        }
    }
}
