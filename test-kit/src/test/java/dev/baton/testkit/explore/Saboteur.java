package dev.baton.testkit.explore;

import dev.baton.context.Decorator;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A planted bug: the device's I/O loses every call to free memory. */
final class Saboteur implements Decorator {
    @Override
    public <T> Behavior<T> decorate(String actor, Behavior<T> behavior) {
        if (!actor.equals("io")) {
            return behavior;
        }
        Behavior<Object> open = Behaviors.intercept(
                () -> new BehaviorInterceptor<Object, T>(Object.class) {
                    @Override
                    @SuppressWarnings("unchecked")
                    public Behavior<T> aroundReceive(
                            TypedActorContext<Object> ctx, Object message, ReceiveTarget<T> target) {
                        if (message.toString().contains("Free")) {
                            return Behaviors.same();
                        }
                        return target.apply(ctx, (T) message);
                    }
                },
                behavior);
        return open.narrow();
    }
}
