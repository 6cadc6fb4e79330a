package dev.baton.build;

import dev.baton.protocol.Holder;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The first failure of one build attempt, taken by a single compare-and-set; nothing withdraws it (B4). */
public final class BuildLatch {
    private final AtomicReference<@Nullable First> first = new AtomicReference<>();

    /** What is latched. */
    private record First(Cause cause, String scope) {}

    /** Why an attempt is over; it decides alone what happens (B5, B6). */
    public sealed interface Cause {
        /** A value is needed that a run ahead has not produced: the run waits. */
        record NotProduced(Holder by) implements Cause {}

        /**
         * The build's own failure.
         *
         * @param message for a person
         * @param thrown what was thrown, if anything
         */
        record Own(String message, @Nullable Throwable thrown) implements Cause {
            /** The failure of a build that threw, or in whose name a driver did. */
            static Own of(Throwable thrown) {
                String message = thrown.getMessage();
                return new Own(thrown.getClass().getSimpleName() + (message == null ? "" : ": " + message), thrown);
            }
        }

        /** Void bytes were read. */
        record Predecessor(Holder by, String why) implements Cause {}

        /** Unreadable bytes were touched. */
        record Unproven(Holder by, String why) implements Cause {}

        /** An access outside the run's arguments. */
        record NotCovered(String why) implements Cause {}
    }

    /** Latches a cause outside all scopes unless one is latched already. */
    public boolean latch(Cause cause) {
        return latch(cause, "");
    }

    /**
     * Latches a cause unless one is latched already.
     *
     * @param scope where in the build it happened, for people
     */
    public boolean latch(Cause cause, String scope) {
        return first.compareAndSet(null, new First(cause, scope));
    }

    /** Whether a cause is latched. */
    public boolean isSet() {
        return first.get() != null;
    }

    /** The first cause, or null. */
    public @Nullable Cause cause() {
        First latched = first.get();
        return latched == null ? null : latched.cause();
    }

    /** Where in the build the first cause happened; empty if outside all scopes or if there is none. */
    public String scope() {
        First latched = first.get();
        return latched == null ? "" : latched.scope();
    }
}
