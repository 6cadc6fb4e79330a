package dev.baton.testkit.scenario;

import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.LaneState;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunName;
import dev.baton.sim.CallKind;
import dev.baton.testkit.invariant.Invariants;
import dev.baton.testkit.invariant.Violation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** The liveness phase of an explored program: without new faults everything that is owed must be answered. */
final class Settling {
    /** Beyond every limit and deadline that a program sets, in virtual time. */
    private static final Duration LONG = Duration.ofSeconds(60);
    /** Enough for what thirty commands leave behind; a device that needs more runs in circles. */
    private static final long MOST_STEPS = 20_000;

    private final Stage stage;
    private final World world;
    private final Sender sender;
    private final Invariants invariants;

    Settling(Stage stage, World world, Sender sender, Invariants invariants) {
        this.stage = stage;
        this.world = world;
        this.sender = sender;
        this.invariants = invariants;
    }

    void settle(Runnable check) {
        long begin = stage.runtime().steps();
        for (CallKind kind : CallKind.values()) {
            stage.control().faultNext(kind, 0);
        }
        stage.failDeclarations(0);
        // steps that wait for an answer would bring new holds and faults
        world.runs.values().forEach(r -> r.after.clear());
        stage.control().releaseAll();
        check.run();
        for (DeviceStatus.RunStatus r : stage.look().runs()) {
            if (r.held()) {
                stage.door().tell(new DeviceCommand.Abandon(new RunName(r.name()), stage.recorder(a -> {})));
            }
        }
        check.run();
        stage.runtime().advance(LONG);
        check.run();
        List<String> open = invariants.unanswered();
        if (!open.isEmpty() && world.hanging().isEmpty()) {
            throw new Violation('i', "nothing hangs or is held, and not answered are " + open);
        }
        DeviceStatus quietly = stage.look();
        if (open.isEmpty() && quietly.tableKnown() && quietly.lane() == LaneState.OPEN && quietly.retained() == 0) {
            invariants.nothingHeld(quietly);
        }
        AtomicReference<Reply.ResetReply> reset = new AtomicReference<>();
        stage.door().tell(new DeviceCommand.Reset(stage.recorder(reset::set)));
        stage.runtime().advance(LONG);
        check.run();
        if (reset.get() == null) {
            throw new Violation('i', "the reset at the end was not answered");
        }
        DeviceStatus last = sender.status();
        DeviceStatus seen = stage.look();
        if (!last.equals(seen)) {
            throw new Violation('i', "the status that was told is " + last + ", but what the actors know is " + seen);
        }
        boolean quiet = stage.device().capabilities().resetProof() || reset.get() instanceof Reply.ResetDone;
        if (quiet) {
            invariants.atEnd(last);
        } else {
            // what can't be proven to be over stays in the table, but everybody was told
            invariants.allAnswered();
        }
        AtomicReference<Reply.CloseReply> close = new AtomicReference<>();
        stage.door().tell(new DeviceCommand.Close(stage.recorder(close::set)));
        stage.runtime().advance(LONG);
        check.run();
        if (close.get() == null) {
            throw new Violation('i', "the close at the end was not answered");
        }
        long steps = stage.runtime().steps() - begin;
        if (steps > MOST_STEPS) {
            throw new Violation('i', "settling took " + steps + " steps");
        }
    }
}
