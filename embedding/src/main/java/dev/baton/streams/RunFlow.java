package dev.baton.streams;

import dev.baton.embedding.DeviceClient;
import dev.baton.embedding.RefusedException;
import dev.baton.embedding.Submission;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.stream.javadsl.Flow;

/**
 * From run requests to results, in their order. A request is submitted when the one before was accepted, so that the device sees them
 * in order; at most {@code inFlight} are accepted and not yet emitted. When the device's queue is full, upstream waits.
 */
public final class RunFlow {
    /** How soon a request that met a full queue is tried again. */
    private static final Duration AGAIN = Duration.ofMillis(5);

    private RunFlow() {}

    /**
     * Fails with the first request that is refused or fails.
     *
     * @param inFlight how many runs may be accepted and not yet emitted, at least 1; what the device has slots and queue for
     */
    public static Flow<RunRequest, RunReply.Finished, NotUsed> of(
            ActorSystem<?> system, DeviceClient device, int inFlight) {
        return submissions(system, device)
                .mapAsync(inFlight, s -> s.submission().result());
    }

    /** Goes on with the next request after one that was refused or failed. */
    public static Flow<RunRequest, Outcome, NotUsed> goingOn(ActorSystem<?> system, DeviceClient device, int inFlight) {
        return submissions(system, device)
                .mapAsync(
                        inFlight,
                        s -> s.submission()
                                .result()
                                .handle((finished, problem) ->
                                        new Outcome(s.request(), finished, problem == null ? null : cause(problem))));
    }

    private record Sent(RunRequest request, Submission submission) {}

    private static Flow<RunRequest, Sent, NotUsed> submissions(ActorSystem<?> system, DeviceClient device) {
        return Flow.of(RunRequest.class).mapAsync(1, request -> sent(system, device, request));
    }

    /** Completes when the request is accepted, or refused for good; its result tells which. */
    private static CompletionStage<Sent> sent(ActorSystem<?> system, DeviceClient device, RunRequest request) {
        Submission submission = device.submit(request);
        return submission
                .accepted()
                .handle((accepted, problem) -> problem != null && full(cause(problem))
                        ? later(system, device, request)
                        : CompletableFuture.completedFuture(new Sent(request, submission)))
                .thenCompose(stage -> stage);
    }

    private static CompletionStage<Sent> later(ActorSystem<?> system, DeviceClient device, RunRequest request) {
        return Patterns.after(
                AGAIN,
                system.classicSystem().scheduler(),
                system.executionContext(),
                () -> sent(system, device, request));
    }

    private static boolean full(Throwable problem) {
        return problem instanceof RefusedException r
                && (r.refusal().code() == RefusalCode.QUEUE_FULL || r.refusal().code() == RefusalCode.BUSY);
    }

    private static Throwable cause(Throwable problem) {
        return problem instanceof CompletionException && problem.getCause() != null ? problem.getCause() : problem;
    }
}
