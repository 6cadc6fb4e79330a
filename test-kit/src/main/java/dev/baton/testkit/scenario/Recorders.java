package dev.baton.testkit.scenario;

import dev.baton.testkit.runtime.DeterministicRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.jspecify.annotations.Nullable;

/**
 * Recorders that are spawned once and serve one program after another, in the same order each time: spawning and stopping an actor
 * for each command would take longer than the commands.
 */
final class Recorders {
    /** Enough for a program of the explorer; one that needs more spawns its own. */
    private static final int COUNT = 256;

    private final List<Pooled> all = new ArrayList<>();
    private int used;

    Recorders(DeterministicRuntime runtime, ActorRef<Object> theatre) {
        for (int i = 0; i < COUNT; i++) {
            all.add(Stage.pooled(theatre, "recorder-" + i));
        }
        runtime.runUntilIdle();
    }

    /** The next one that is free, if any is. */
    @Nullable
    Pooled next() {
        return used < all.size() ? all.get(used++) : null;
    }

    /** What a recorder of this program threw, or null. */
    @Nullable
    RuntimeException failure() {
        for (Pooled p : all.subList(0, used)) {
            if (p.failure != null) {
                return p.failure;
            }
        }
        return null;
    }

    /** All are free again, and what still comes to them is dropped. */
    void forget() {
        for (Pooled p : all.subList(0, used)) {
            p.heard = m -> {};
            p.failure = null;
        }
        used = 0;
    }

    /** One recorder. */
    static final class Pooled {
        private Consumer<Object> heard = m -> {};

        private @Nullable RuntimeException failure;

        @Nullable
        ActorRef<?> ref;

        Behavior<Object> behavior() {
            return Recorder.create(m -> {
                try {
                    heard.accept(m);
                } catch (RuntimeException e) {
                    // the actor must live on for later programs
                    failure = e;
                }
            });
        }

        @SuppressWarnings("unchecked") // who asks for a recorder says what it hears
        <T> ActorRef<T> use(Consumer<T> of) {
            heard = m -> of.accept((T) m);
            return (ActorRef<T>) Objects.requireNonNull(ref, "not spawned");
        }
    }
}
