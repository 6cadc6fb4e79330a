package dev.baton.protocol;

import java.util.Objects;

/**
 * Who stands in the way: a live run, or a copy under way or waiting, that borrows an allocation; or the run that left a
 * mark.
 *
 * @param kind what it is
 * @param number the run's or copy's number within the epoch
 * @param name the client's own name for it
 */
public record Holder(Kind kind, long number, String name) {
    public Holder {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(name, "name");
    }

    /** What holds. */
    public enum Kind {
        RUN,
        READ,
        WRITE,
        COPY,
        FILL,
        ORCHESTRATION
    }

    @Override
    public String toString() {
        return kind.name().toLowerCase(java.util.Locale.ROOT) + " " + name + " (" + number + ")";
    }
}
