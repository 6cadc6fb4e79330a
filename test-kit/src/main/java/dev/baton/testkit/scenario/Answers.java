package dev.baton.testkit.scenario;

import dev.baton.testkit.invariant.Invariants;
import dev.baton.testkit.invariant.Owed;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;

/** Hears the one answer that is owed to each step's command. */
final class Answers {
    private final Stage stage;
    private final Invariants invariants;

    Answers(Stage stage, Invariants invariants) {
        this.stage = stage;
        this.invariants = invariants;
    }

    /** A recorder of the answer, which is kept for later steps. */
    <T> ActorRef<T> into(Scenario.Step s, World.Pending pending) {
        return once(s, r -> pending.reply = r);
    }

    /** A recorder of the answer. */
    <T> ActorRef<T> once(Scenario.Step s, Consumer<T> heard) {
        Owed owed = invariants.owed("step " + s.number() + " (" + s.what() + ")");
        return stage.recorder(r -> {
            invariants.answered(owed, r);
            heard.accept(r);
        });
    }
}
