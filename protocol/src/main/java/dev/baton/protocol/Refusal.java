package dev.baton.protocol;

import java.util.List;
import java.util.Objects;

/**
 * A command that was refused and changed nothing.
 *
 * @param code the reason
 * @param by what stood in the way: copies first in order of decision, then runs in dispatch order (L13)
 * @param message for a person: what was asked, what stood in the way, what to do next
 */
public record Refusal(RefusalCode code, List<Holder> by, String message) {
    public Refusal {
        Objects.requireNonNull(code, "code");
        by = List.copyOf(by);
        Objects.requireNonNull(message, "message");
    }

    public static Refusal of(RefusalCode code, String message) {
        return new Refusal(code, List.of(), message);
    }
}
