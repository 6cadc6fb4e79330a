package dev.baton.embedding;

import dev.baton.protocol.RunReply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A run that was sent. Giving up on either stage changes nothing for the run (N10).
 *
 * @param accepted its id, or {@link RefusedException}
 * @param result what a COMPLETED run gave, or {@link RefusedException} or {@link RunFailedException}. When it is complete, the
 *     run's buffers are no longer borrowed by it: a free is not refused for that run
 */
public record Submission(CompletionStage<RunReply.Accepted> accepted, CompletionStage<RunReply.Finished> result) {
    /** Where the two answers come in. */
    static final class Waiting {
        final CompletableFuture<RunReply.Accepted> accepted = new CompletableFuture<>();
        final CompletableFuture<RunReply.Finished> result = new CompletableFuture<>();

        /** Whether the answer is the last one. */
        boolean hear(RunReply reply) {
            if (reply instanceof RunReply.Accepted a) {
                accepted.complete(a);
                return false;
            }
            if (reply instanceof RunReply.Rejected r) {
                RefusedException refused = new RefusedException(r.refusal());
                accepted.completeExceptionally(refused);
                result.completeExceptionally(refused);
            } else {
                RunReply.Finished f = (RunReply.Finished) reply;
                if (f.failure() == null) {
                    result.complete(f);
                } else {
                    result.completeExceptionally(new RunFailedException(f.run(), f.name(), f.failure()));
                }
            }
            return true;
        }
    }
}
