package dev.baton.context;

import org.apache.pekko.actor.typed.Behavior;

/** Wraps the behavior of each core actor as it is made: how a test kit watches and kills them. */
@FunctionalInterface
public interface Decorator {
    /** Leaves every behavior as it is. */
    Decorator NONE = new Decorator() {
        @Override
        public <T> Behavior<T> decorate(String actor, Behavior<T> behavior) {
            return behavior;
        }
    };

    /**
     * Wraps one.
     *
     * @param actor lane, ledger, context, io, or slot-N
     */
    <T> Behavior<T> decorate(String actor, Behavior<T> behavior);
}
