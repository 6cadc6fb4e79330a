package dev.baton.testkit.runtime;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What can go on: ready steps and waits whose condition holds; and what time would bring. Chooses the next.
 *
 * <p>Touched only by the thread that has the turn, but for {@link #post} and {@link #progress}.
 */
final class Agenda {
    /** A condition that never holds: a wait for rest alone. */
    static final BooleanSupplier NEVER_HOLDS = () -> false;

    /** What the thread that calls a test's hook runs meanwhile: it must not block. */
    private static final Step HOOK = new Step("a hook at rest", 0, () -> {}, Step.Place.ANYWHERE, false);

    private final Program program;
    private final VirtualClock clock = new VirtualClock();
    private final ReadySteps ready = new ReadySteps();
    private final Waits waits = new Waits();
    private final ConcurrentLinkedQueue<Runnable> inbox = new ConcurrentLinkedQueue<>();
    private final AtomicLong progress = new AtomicLong();
    private final IntFunction<String> labels = this::label;

    Agenda(Program program) {
        this.program = program;
    }

    /** Makes a step ready. */
    void add(String label, Runnable body, Step.Place place, boolean nests) {
        ready.add(new Step(label, clock.nextSeq(), body, place, nests));
    }

    /** From a thread that has no turn: done by the next one that has it. */
    void post(Runnable deed) {
        inbox.add(deed);
    }

    /** A thread stands in a wait. */
    void stand(Wait wait) {
        wait.outer = wait.seat.innermost;
        wait.seat.innermost = wait;
        waits.add(wait);
        if (wait.atNanos != VirtualClock.NEVER) {
            clock.add(wait);
        }
    }

    void leave(Wait wait) {
        wait.seat.innermost = wait.outer;
        waits.remove(wait);
        if (wait.atNanos != VirtualClock.NEVER) {
            clock.remove(wait);
        }
    }

    /** Whether a thread that could go on with its wait might find others that go first. */
    boolean contested() {
        return program.chaotic() && (ready.size() > 0 || !waits.isEmpty());
    }

    /** Takes a step or a wait; null if only time has moved, or a hook has done something. */
    @Nullable
    Object next(Seat me) {
        takePosted();
        Wait rest = waits.rest();
        if (rest.condition.getAsBoolean()) {
            rest.held = true;
            return rest;
        }
        int able = waits.findAble(clock.absoluteNanos());
        int count = ready.size() + able;
        if (count == 0) {
            return atRest(me, rest);
        }
        progress.lazySet(progress.get() + 1);
        program.count();
        if (program.comesEarly(clock)) {
            moveTo(clock.nextNanos());
            return null;
        }
        int picked = program.chaotic() ? program.pick(count, labels) : oldest(able);
        if (picked < ready.size()) {
            Step step = ready.remove(picked);
            program.took(Trace.STEP, step.label());
            return step;
        }
        Wait wait = waits.able(picked - ready.size());
        program.took(wait.failure == null ? Trace.RESUMED : Trace.FAILED, wait.label);
        return wait;
    }

    private void takePosted() {
        for (Runnable deed = inbox.poll(); deed != null; deed = inbox.poll()) {
            deed.run();
        }
    }

    private String label(int index) {
        return index < ready.size() ? ready.get(index).label() : waits.able(index - ready.size()).label;
    }

    private int oldest(int able) {
        if (ready.size() == 0) {
            return waits.oldestAble();
        }
        int step = ready.oldest();
        int wait = waits.oldestAble();
        return able > 0 && waits.able(wait).seq < ready.get(step).seq() ? ready.size() + wait : step;
    }

    /** Nothing can go on: time does, as far as the wait for rest allows, and then that wait. */
    private @Nullable Wait atRest(Seat me, Wait rest) {
        program.rested();
        if (rest.untilNanos > clock.absoluteNanos()) {
            moveTo(Math.min(rest.untilNanos, clock.nextNanos()));
            return null;
        }
        if (rest.atRest != null) {
            progress.lazySet(progress.get() + 1);
            if (callHook(me, rest.atRest)) {
                return null;
            }
        }
        return rest;
    }

    private boolean callHook(Seat me, Supplier<Boolean> hook) {
        Step before = me.current;
        me.current = HOOK;
        me.inHook = true;
        try {
            return hook.get();
        } finally {
            me.inHook = false;
            me.current = before;
        }
    }

    /** In a hook: time passes before the wait for rest that called it goes on. */
    void elapse(long nanos) {
        waits.rest().untilNanos = clock.after(nanos);
    }

    static boolean inHook(@Nullable Seat me) {
        return me != null && me.inHook;
    }

    private void moveTo(long nanos) {
        clock.moveTo(nanos);
        program.moved(clock);
    }

    boolean atRest() {
        takePosted();
        return ready.size() == 0 && waits.findAble(clock.absoluteNanos()) == 0;
    }

    VirtualClock clock() {
        return clock;
    }

    Waits waits() {
        return waits;
    }

    /** Grows as long as something happens. */
    AtomicLong progress() {
        return progress;
    }

    void clear() {
        ready.clear();
        clock.clear();
        inbox.clear();
    }
}
