package dev.baton.streams;

import dev.baton.embedding.DeviceClient;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand.When;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.RunRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Flow;

/**
 * A large input in pieces: each piece is written to the device, goes through a chain of runs, and its result is read, in order. The
 * device's memory is bounded whatever the input's length: so many sets of buffers as pieces may be under way, allocated when the
 * first piece comes and freed when idle as the stream ends. With two, one piece is copied while another computes.
 */
public final class PieceFlow {
    /**
     * One run of the chain: (IN, OUT, SCALAR f32 …).
     *
     * @param callable its registered name
     * @param scalars what follows the two tensors
     */
    public record Step(String callable, List<Float> scalars) {
        public Step {
            scalars = List.copyOf(scalars);
        }

        public static Step of(String callable, Float... scalars) {
            return new Step(callable, List.of(scalars));
        }
    }

    private final DeviceClient device;
    private final DataType type;
    private final int elements;
    private final List<Step> steps;

    /**
     * @param elements longest piece, in elements of {@code type}; the last piece may be shorter
     * @param steps the chain, at least one
     */
    public PieceFlow(DeviceClient device, DataType type, int elements, List<Step> steps) {
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("a chain needs at least one step");
        }
        if (elements < 1) {
            throw new IllegalArgumentException("elements=" + elements + ": a piece has at least one");
        }
        this.device = device;
        this.type = type;
        this.elements = elements;
        this.steps = List.copyOf(steps);
    }

    /** The buffers of one piece under way: its input and what each step writes. */
    private record BufferSet(List<CompletableFuture<BufferHandle>> buffers) {}

    /**
     * From pieces to results, in order.
     *
     * @param underWay pieces that may be under way, at least 1; 2 is double buffering
     */
    public Flow<HostBytes, HostBytes, NotUsed> flow(int underWay) {
        return Flow.lazyFlow(() -> {
                    List<BufferSet> sets = new ArrayList<>();
                    for (int i = 0; i < underWay; i++) {
                        sets.add(allocate(i));
                    }
                    return Flow.of(HostBytes.class)
                            .zipWithIndex()
                            // element i + underWay begins when element i has been emitted: its set is free again
                            .mapAsync(
                                    underWay,
                                    p -> piece(sets.get((int) (p.second() % underWay)), p.first(), p.second()))
                            .watchTermination((nothing, done) -> free(sets, done));
                })
                .mapMaterializedValue(later -> NotUsed.getInstance());
    }

    private BufferSet allocate(int set) {
        List<CompletableFuture<BufferHandle>> buffers = new ArrayList<>();
        for (int k = 0; k <= steps.size(); k++) {
            buffers.add(device.allocate("piece-" + set + "-" + k, (long) elements * type.bytes())
                    .toCompletableFuture());
        }
        return new BufferSet(buffers);
    }

    private NotUsed free(List<BufferSet> sets, CompletionStage<Done> done) {
        done.whenComplete((end, problem) -> {
            for (BufferSet set : sets) {
                set.buffers().forEach(b -> b.thenAccept(device::freeWhenIdle));
            }
        });
        return NotUsed.getInstance();
    }

    private CompletionStage<HostBytes> piece(BufferSet set, HostBytes bytes, long number) {
        long count = bytes.size() / type.bytes();
        if (count > elements || count * type.bytes() != bytes.size()) {
            return CompletableFuture.failedFuture(new IllegalArgumentException("piece " + number + " has "
                    + bytes.size() + " bytes; a piece has whole elements of " + type + ", at most " + elements));
        }
        return CompletableFuture.allOf(set.buffers().toArray(CompletableFuture<?>[]::new))
                .thenCompose(all -> run(set, bytes, count, number));
    }

    /** Everything is sent at once; the device keeps the order. */
    private CompletionStage<HostBytes> run(BufferSet set, HostBytes bytes, long count, long number) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        BufferHandle from = set.buffers().get(0).join();
        all.add(device.write("piece " + number, from, 0, bytes).toCompletableFuture());
        for (int k = 0; k < steps.size(); k++) {
            Step step = steps.get(k);
            BufferHandle to = set.buffers().get(k + 1).join();
            RunRequest.Builder request = RunRequest.of(step.callable())
                    .named(step.callable() + "-" + number)
                    .tensor(from.tensor(type, count))
                    .tensor(to.tensor(type, count));
            step.scalars().forEach(request::scalar);
            all.add(device.submit(request.build()).result().toCompletableFuture());
            from = to;
        }
        CompletableFuture<HostBytes> result = device.read(
                        "result of piece " + number, from, 0, bytes.size(), When.LATER)
                .toCompletableFuture();
        // the first failure in order is the piece's
        CompletableFuture<Void> before = CompletableFuture.completedFuture(null);
        for (CompletableFuture<?> one : all) {
            before = before.thenCompose(nothing -> one.thenAccept(value -> {}));
        }
        return before.thenCompose(nothing -> result);
    }
}
