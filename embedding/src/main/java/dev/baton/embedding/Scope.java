package dev.baton.embedding;

import dev.baton.protocol.BufferHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Allocations that are freed when idle as the scope closes, those that come later included. For one thread at a time.
 *
 * <pre>{@code
 * try (Scope scope = device.scope()) {
 *     BufferHandle y = scope.allocate("y", bytes).toCompletableFuture().join();
 *     device.submit(...);
 * } // y is freed when its last run has retired
 * }</pre>
 */
public final class Scope implements AutoCloseable {
    private final DeviceClient device;
    private final ConcurrentLinkedQueue<CompletableFuture<BufferHandle>> allocations = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> freed = new CompletableFuture<>();
    private volatile boolean closed;

    Scope(DeviceClient device) {
        this.device = device;
    }

    /**
     * As {@link DeviceClient#allocate(String, long)}.
     *
     * @throws IllegalStateException if the scope is closed
     */
    public CompletionStage<BufferHandle> allocate(String label, long bytes) {
        if (closed) {
            throw new IllegalStateException("the scope is closed; '" + label + "' can't be allocated in it");
        }
        CompletableFuture<BufferHandle> mine = device.allocate(label, bytes).toCompletableFuture();
        allocations.add(mine);
        // a stage of its own: giving up on it must not hide the handle from the scope
        return mine.thenApply(buffer -> buffer);
    }

    /** Asks for the frees and returns at once; {@link #freed} tells when they are done. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        List<CompletableFuture<?>> frees = new ArrayList<>();
        for (CompletableFuture<BufferHandle> allocation : allocations) {
            // what was never allocated needs no free; what is freed already is no problem of the scope
            frees.add(allocation
                    .thenCompose(buffer -> device.freeWhenIdle(buffer))
                    .handle((released, problem) -> freedOrGone(allocation, problem)));
        }
        CompletableFuture.allOf(frees.toArray(CompletableFuture<?>[]::new)).whenComplete((all, problem) -> {
            if (problem == null) {
                freed.complete(null);
            } else {
                freed.completeExceptionally(problem);
            }
        });
    }

    /**
     * Completes when everything allocated in the closed scope has been freed; fails with the first {@link RefusedException} if
     * something can't be, such as memory that an unproven run may still reach (UNPROVEN).
     */
    public CompletionStage<Void> freed() {
        return freed;
    }

    private static boolean freedOrGone(
            CompletableFuture<BufferHandle> allocation, @org.jspecify.annotations.Nullable Throwable problem) {
        if (problem == null || allocation.isCompletedExceptionally()) {
            return true;
        }
        Throwable cause = problem.getCause() == null ? problem : problem.getCause();
        if (cause instanceof RefusedException r) {
            switch (r.refusal().code()) {
                case UNKNOWN_BUFFER, STALE_BUFFER, RELEASE_PENDING -> {
                    return true;
                }
                default -> throw r;
            }
        }
        throw new java.util.concurrent.CompletionException(cause);
    }
}
