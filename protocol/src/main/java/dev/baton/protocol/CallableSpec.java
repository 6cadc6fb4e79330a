package dev.baton.protocol;

import java.util.Objects;

/**
 * What a device knows of a callable before code.
 *
 * @param name unique on its device
 * @param kernel the driver's own name of the code that it runs (often the same)
 * @param signature its parameters
 */
public record CallableSpec(String name, String kernel, Signature signature) {
    public CallableSpec {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kernel, "kernel");
        Objects.requireNonNull(signature, "signature");
    }
}
