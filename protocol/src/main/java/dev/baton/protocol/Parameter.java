package dev.baton.protocol;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One parameter of a callable.
 *
 * @param role what is done with it
 * @param type the only element type that fits, or null for any
 * @param minBytes the smallest tensor that fits, in bytes; zero for any
 */
public record Parameter(Role role, @Nullable DataType type, long minBytes) {
    public Parameter {
        Objects.requireNonNull(role, "role");
        if (minBytes < 0) {
            throw new IllegalArgumentException("minBytes=" + minBytes);
        }
    }

    /** A parameter of any type and size. */
    public static Parameter of(Role role) {
        return new Parameter(role, null, 0);
    }

    /** A parameter of one element type, of any size. */
    public static Parameter of(Role role, DataType type) {
        return new Parameter(role, type, 0);
    }
}
