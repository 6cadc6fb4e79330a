package dev.baton.embedding;

import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Extension;
import org.apache.pekko.actor.typed.ExtensionId;

/** Baton as a Pekko extension: one for each actor system, made when it is first asked for. */
public final class BatonExtension implements Extension {
    private static final Id ID = new Id();

    private final Baton baton;

    private BatonExtension(ActorSystem<?> system) {
        this.baton = Baton.of(system);
    }

    /** The one of {@code system}. */
    public static BatonExtension get(ActorSystem<?> system) {
        return ID.apply(system);
    }

    /** The way to its devices. */
    public Baton baton() {
        return baton;
    }

    private static final class Id extends ExtensionId<BatonExtension> {
        @Override
        public BatonExtension createExtension(ActorSystem<?> system) {
            return new BatonExtension(system);
        }
    }
}
