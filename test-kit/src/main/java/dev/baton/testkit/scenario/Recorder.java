package dev.baton.testkit.scenario;

import java.util.function.Consumer;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** An actor that hands what it hears to the running scenario. */
final class Recorder {
    private Recorder() {}

    static <T> Behavior<T> create(Consumer<T> heard) {
        return Behaviors.receiveMessage(m -> {
            heard.accept(m);
            return Behaviors.same();
        });
    }
}
