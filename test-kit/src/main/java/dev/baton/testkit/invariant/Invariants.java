package dev.baton.testkit.invariant;

import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.LaneState;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunId;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import dev.baton.protocol.driver.RunPlan;
import dev.baton.sim.SimControl;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
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
 *   <li>(a) the device is never misused, touches only allocated memory for a run whose spans resolve, nothing that the run does not
 *       name, and writes nothing that it names as input;
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
    /** What a door says that has lost what is behind it. */
    private static final Set<RefusalCode> LOST =
            EnumSet.of(RefusalCode.DEVICE_FAILED, RefusalCode.RESETTING, RefusalCode.CLOSED);
    /** Ends that the door decides, for all runs at once. */
    private static final Set<FailureReason> BY_THE_DOOR =
            EnumSet.of(FailureReason.RESET, FailureReason.INTERNAL, FailureReason.CLOSED);

    private final SimControl control;
    private final Operator operator = new Operator();
    private final List<Sent> runs = new ArrayList<>();
    private final Map<RunId, Sent> byId = new HashMap<>();
    private final Table table = new Table(runs, byId);
    private final List<Owed> owed = new ArrayList<>();
    private final List<Violation> found = new ArrayList<>();
    private @Nullable DeviceStatus statusBefore;
    private final List<DeviceEvent.RunEnded> ended = new ArrayList<>();
    private @Nullable RunId lastStarted;
    private @Nullable RunId lastEnded;

    /** Watches a device; its observer from now on. */
    public Invariants(SimControl control) {
        this.control = control;
        control.observe(operator);
    }

    /** A submit is sent. */
    public Sent sent(RunRequest request, Signature signature) {
        Sent sent = new Sent(request, signature);
        runs.add(sent);
        return sent;
    }

    /** An answer to a submit has come. */
    public void heard(Sent run, RunReply reply) {
        if (reply instanceof RunReply.Accepted a) {
            once(run.accepted == null && !run.rejected && !run.finished, run, reply);
            run.accepted = a;
            byId.put(a.run(), run);
        } else if (reply instanceof RunReply.Rejected r) {
            run.inDoubt = LOST.contains(r.refusal().code());
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
        if (event instanceof DeviceEvent.RunEnded e && operator.started(e.run())) {
            RunFailure failure = e.failure();
            if (failure == null || !BY_THE_DOOR.contains(failure.reason())) {
                ended.add(e);
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
        if (++command.answers > 1) {
            found.add(new Violation('e', command.what + " was answered twice, the second time with " + reply));
        }
    }

    /** Checks at rest what needs no status: all there is to check if no actor got a message since the last check. */
    public void atRest() {
        List<String> misuse = control.violations();
        require(misuse.isEmpty(), 'a', () -> "the device was misused: " + misuse);
        operator.strays.forEach(plan -> {
            Sent s = byId.get(plan.run());
            require(s == null || s.raw, 'a', () -> "run " + plan.name() + " touched memory that is not allocated");
        });
        operator.strays.clear();
        require(operator.outside.isEmpty(), 'a', () -> String.valueOf(operator.outside));
        require(operator.overlaps.isEmpty(), 'd', () -> String.valueOf(operator.overlaps));
        if (!found.isEmpty()) {
            throw found.get(0);
        }
        dispatchOrder();
    }

    /**
     * Checks at rest.
     *
     * @param status the status now
     * @param refused whether all that was sent since the last check is one command, which was refused
     */
    public void atRest(DeviceStatus status, boolean refused) {
        atRest();
        boolean counts = status.tableKnown() && TABLE_COUNTS.contains(status.lane());
        DeviceStatus last = statusBefore;
        if (counts) {
            table.borrows(status);
            if (last != null && last.epoch() == status.epoch()) {
                table.reuse(operator.changes, last, status);
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
        for (RunPlan plan : operator.started) {
            lastStarted = after(lastStarted, plan.run(), plan.name(), "started");
        }
        operator.started.clear();
        for (DeviceEvent.RunEnded e : ended) {
            lastEnded = after(lastEnded, e.run(), e.name(), "was answered");
        }
        ended.clear();
    }

    private @Nullable RunId after(@Nullable RunId last, RunId id, String name, String what) {
        Sent s = byId.get(id);
        if (s == null) {
            require(
                    runs.stream().anyMatch(r -> r.inDoubt && r.name.equals(name)),
                    'd',
                    () -> "run " + name + " " + what + " and was never accepted");
            return last;
        }
        Sent before = last != null && last.epoch() == id.epoch() ? byId.get(last) : null;
        if (before != null && before.dispatch() >= s.dispatch()) {
            throw new Violation(
                    'd', "run " + s.name + " " + what + " after run " + before.name + ", which is behind it");
        }
        return id;
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
        allAnswered();
        require(status.runs().isEmpty(), 'i', () -> "runs that are live in the end: " + status.runs());
        require(
                status.pendingCopies() == 0,
                'i',
                () -> "copies that are pending in the end: " + status.pendingCopies());
    }

    /** Checks that a device on which everything has ended well holds nothing any more, and has no memory that the table forgot. */
    public void nothingHeld(DeviceStatus status) {
        require(status.runs().isEmpty(), 'i', () -> "all is answered, and live are " + status.runs());
        for (DeviceStatus.BufferStatus b : status.buffers()) {
            require(
                    b.borrowers().isEmpty()
                            && b.writers().isEmpty()
                            && b.copies().isEmpty()
                            && !b.releasePending(),
                    'i',
                    () -> "all is answered, and still held is " + b);
        }
        require(
                control.liveRuns() == 0 && control.scratchBytes() == 0,
                'i',
                () -> "all is answered, and the device still has " + control.liveRuns() + " attempts and "
                        + control.scratchBytes() + " bytes of scratch memory");
        require(
                control.liveAllocations() == status.allocated(),
                'i',
                () -> "the device has " + control.liveAllocations() + " allocations, the table " + status.allocated());
    }

    /** Checks that everything was answered. */
    public void allAnswered() {
        List<String> open = unanswered();
        require(open.isEmpty(), 'i', () -> "not answered in the end: " + open);
    }

    static void require(boolean holds, char letter, Supplier<String> message) {
        if (!holds) {
            throw new Violation(letter, message.get());
        }
    }
}
