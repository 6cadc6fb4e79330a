package dev.baton.protocol;

import java.util.Objects;

/**
 * The live run that was last admitted under a client's name: lets a client activate or abandon a run that it has just
 * submitted, before the answer with the {@link RunId} has come.
 */
public record RunName(String name) implements RunTarget {
    public RunName {
        Objects.requireNonNull(name, "name");
    }
}
