package dev.baton.streams;

import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import org.jspecify.annotations.Nullable;

/**
 * What became of one request of a stream that goes on after failures.
 *
 * @param request as it came
 * @param finished the answer of a run that COMPLETED, else null
 * @param failure why it was refused or failed, else null: a {@link dev.baton.embedding.RefusedException} or
 *     {@link dev.baton.embedding.RunFailedException}
 */
public record Outcome(
        RunRequest request,
        RunReply.@Nullable Finished finished,
        @Nullable Throwable failure) {
    public boolean completed() {
        return failure == null;
    }
}
