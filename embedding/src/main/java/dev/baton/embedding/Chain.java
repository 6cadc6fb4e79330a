package dev.baton.embedding;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DataType;
import dev.baton.protocol.RunRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A chain of runs in one expression: each reads what the one before wrote. The intermediates are allocated, and freed when idle;
 * they never visit the host. Every callable has the signature (IN, OUT, SCALAR f32 …).
 *
 * <pre>{@code
 * CompletionStage<BufferHandle> w = device.chain(x, DataType.F32, n).then("add", 1).then("scale", 3).submit();
 * }</pre>
 */
public final class Chain {
    private record Link(String callable, List<Float> scalars) {}

    private final DeviceClient device;
    private final BufferHandle first;
    private final DataType type;
    private final long count;
    private final List<Link> links = new ArrayList<>();

    Chain(DeviceClient device, BufferHandle first, DataType type, long count) {
        this.device = device;
        this.first = first;
        this.type = type;
        this.count = count;
    }

    /** Adds a run of {@code callable}, which reads the result so far and writes one of the same type and length. */
    public Chain then(String callable, float... scalars) {
        List<Float> values = new ArrayList<>();
        for (float s : scalars) {
            values.add(s);
        }
        links.add(new Link(callable, values));
        return this;
    }

    /**
     * Allocates, submits everything at once, and frees the intermediates when idle.
     *
     * @return the last result, which is the caller's to free; complete when it is produced. If a run fails, the stage fails with
     *     the first failure in order, and the last result is freed too
     * @throws IllegalStateException if the chain has no runs
     */
    public CompletionStage<BufferHandle> submit() {
        if (links.isEmpty()) {
            throw new IllegalStateException("a chain needs a run: say then(callable) first");
        }
        List<CompletableFuture<BufferHandle>> allocations = new ArrayList<>();
        for (int i = 0; i < links.size(); i++) {
            allocations.add(device.allocate(links.get(i).callable() + "-" + (i + 1), count * type.bytes())
                    .toCompletableFuture());
        }
        return CompletableFuture.allOf(allocations.toArray(CompletableFuture<?>[]::new))
                .handle((all, problem) -> {
                    if (problem == null) {
                        return run(allocations);
                    }
                    allocations.forEach(a -> a.thenAccept(device::freeWhenIdle));
                    return CompletableFuture.<BufferHandle>failedFuture(cause(problem));
                })
                .thenCompose(stage -> stage);
    }

    private CompletableFuture<BufferHandle> run(List<CompletableFuture<BufferHandle>> allocations) {
        List<CompletableFuture<?>> results = new ArrayList<>();
        BufferHandle from = first;
        for (int i = 0; i < links.size(); i++) {
            Link link = links.get(i);
            BufferHandle to = allocations.get(i).join();
            RunRequest.Builder request = RunRequest.of(link.callable())
                    .named(link.callable() + "-" + (i + 1))
                    .tensor(from.tensor(type, count))
                    .tensor(to.tensor(type, count));
            link.scalars().forEach(request::scalar);
            results.add(device.submit(request.build()).result().toCompletableFuture());
            if (i > 0) {
                // after the submit of its reader: the borrow is there, so the free waits for it
                device.freeWhenIdle(from);
            }
            from = to;
        }
        BufferHandle last = from;
        return CompletableFuture.allOf(results.toArray(CompletableFuture<?>[]::new))
                .handle((all, problem) -> {
                    if (problem == null) {
                        return CompletableFuture.completedFuture(last);
                    }
                    device.freeWhenIdle(last);
                    return CompletableFuture.<BufferHandle>failedFuture(firstFailure(results, problem));
                })
                .thenCompose(stage -> stage);
    }

    private static Throwable firstFailure(List<CompletableFuture<?>> results, Throwable any) {
        for (CompletableFuture<?> r : results) {
            if (r.isCompletedExceptionally()) {
                return cause(r.handle((value, problem) -> problem == null ? any : problem)
                        .join());
            }
        }
        return cause(any);
    }

    private static Throwable cause(Throwable problem) {
        return problem instanceof java.util.concurrent.CompletionException && problem.getCause() != null
                ? problem.getCause()
                : problem;
    }
}
