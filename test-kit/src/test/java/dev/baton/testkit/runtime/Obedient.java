package dev.baton.testkit.runtime;

import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Actors that do what they are told, on a dispatcher that may block. */
final class Obedient {
    private Obedient() {}

    /** Does what it is told on a dispatcher that may block. */
    static ActorSystem<Runnable> system(DeterministicRuntime runtime, boolean pinned, int actors) {
        return runtime.system(
                Behaviors.setup(ctx -> {
                    List<ActorRef<Runnable>> refs = new ArrayList<>();
                    for (int i = 0; i < actors; i++) {
                        refs.add(ctx.spawn(obedient(), "actor-" + i, DispatcherSelector.fromConfig("test-blocking")));
                    }
                    return Behaviors.receive(Runnable.class)
                            .onAnyMessage(order -> {
                                refs.forEach(ref -> ref.tell(order));
                                return Behaviors.same();
                            })
                            .build();
                }),
                "blocking",
                pinned ? Theatre.PINNED : Theatre.BLOCKING);
    }

    private static Behavior<Runnable> obedient() {
        return Behaviors.supervise(Behaviors.receive(Runnable.class)
                        .onAnyMessage(order -> {
                            order.run();
                            return Behaviors.same();
                        })
                        .build())
                .onFailure(SupervisorStrategy.resume());
    }
}
