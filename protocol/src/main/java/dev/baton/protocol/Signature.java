package dev.baton.protocol;

import java.util.ArrayList;
import java.util.List;

/**
 * The parameters of a callable, in order.
 *
 * @param parameters one for each argument that a run must give
 */
public record Signature(List<Parameter> parameters) {
    /** More parameters than any callable has. */
    public static final int MAX_PARAMETERS = 256;

    public Signature {
        parameters = List.copyOf(parameters);
        if (parameters.size() > MAX_PARAMETERS) {
            throw new IllegalArgumentException(
                    parameters.size() + " parameters exceed MAX_PARAMETERS=" + MAX_PARAMETERS);
        }
    }

    /** A signature of roles only. */
    public static Signature of(Role... roles) {
        List<Parameter> list = new ArrayList<>();
        for (Role r : roles) {
            list.add(Parameter.of(r));
        }
        return new Signature(list);
    }
}
