package dev.baton.embedding;

import dev.baton.protocol.Reply;
import java.util.concurrent.CompletableFuture;

/** A command with one answer: of the wanted type, or a problem. */
final class Asked<R extends Reply> implements Outstanding.Call {
    private final Class<R> wanted;
    private final CompletableFuture<R> future = new CompletableFuture<>();

    Asked(Class<R> wanted) {
        this.wanted = wanted;
    }

    CompletableFuture<R> future() {
        return future;
    }

    @Override
    public boolean hear(Object answer) {
        if (wanted.isInstance(answer)) {
            future.complete(wanted.cast(answer));
        } else {
            future.completeExceptionally(problem((Reply) answer));
        }
        return true;
    }

    @Override
    public void fail(RuntimeException cause) {
        future.completeExceptionally(cause);
    }

    static RuntimeException problem(Reply reply) {
        if (reply instanceof Reply.Refused r) {
            return new RefusedException(r.refusal());
        }
        if (reply instanceof Reply.Failed f) {
            return new OperationFailedException(f.failure(), f.message());
        }
        return new IllegalStateException("an answer of another command: " + reply);
    }
}
