package dev.baton.testkit.junit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Records what an actor reference hears.
 *
 * @param <T> the kind of message
 */
public class Probe<T> {
    private final Bench bench;
    private final String name;
    private final List<T> heard = new CopyOnWriteArrayList<>();
    private final ActorRef<T> ref;

    Probe(Bench bench, String name) {
        this.bench = bench;
        this.name = name;
        this.ref = bench.recorder(heard::add);
    }

    /** Where to send. */
    public ActorRef<T> ref() {
        return ref;
    }

    /** What was heard so far, without waiting. */
    public List<T> all() {
        return List.copyOf(heard);
    }

    /** What was heard first; waits for it. */
    public T get() {
        return at(0);
    }

    /** What was heard as number {@code index}, from zero; waits for it. */
    public T at(int index) {
        if (!bench.await(() -> heard.size() > index)) {
            throw new AssertionError("no answer " + (index + 1) + " to " + name + " came; heard " + heard + ", held "
                    + bench.control().held());
        }
        return heard.get(index);
    }

    /** The first message of a kind; waits for it, and fails if the answers that came are others. */
    public <X extends T> X get(Class<X> kind) {
        T first = get();
        if (kind.isInstance(first)) {
            return kind.cast(first);
        }
        throw new AssertionError(name + ": expected " + kind.getSimpleName() + ", got " + first);
    }

    /** Whether nothing was heard, once all that can happen has happened. */
    public boolean isSilent() {
        bench.rest();
        return heard.isEmpty();
    }

    @Override
    public String toString() {
        return name + ": " + heard;
    }
}
