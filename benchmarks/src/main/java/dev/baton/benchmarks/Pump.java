package dev.baton.benchmarks;

import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/** A client that keeps so many runs outstanding until it has had enough. */
final class Pump extends AbstractBehavior<Object> {
    /** Runs {@code runs} times, {@code outstanding} at once, and completes {@code done}. */
    record Go(int runs, int outstanding, CompletableFuture<Long> done) {}

    private final ActorRef<DeviceCommand> door;
    private final RunRequest[] requests;
    private final ActorRef<RunReply> me;
    private int submitted;
    private int finished;
    private int runs;
    private CompletableFuture<Long> done = new CompletableFuture<>();

    private Pump(ActorContext<Object> ctx, ActorRef<DeviceCommand> door, RunRequest[] requests) {
        super(ctx);
        this.door = door;
        this.requests = requests;
        this.me = ctx.getSelf().narrow();
    }

    static Behavior<Object> create(ActorRef<DeviceCommand> door, RunRequest... requests) {
        return Behaviors.setup(ctx -> new Pump(ctx, door, requests));
    }

    @Override
    public Receive<Object> createReceive() {
        return newReceiveBuilder()
                .onMessage(Go.class, this::go)
                .onMessage(RunReply.Finished.class, this::finished)
                .onMessage(RunReply.Rejected.class, r -> {
                    done.completeExceptionally(
                            new IllegalStateException(r.refusal().message()));
                    return this;
                })
                .onAnyMessage(accepted -> this)
                .build();
    }

    private Behavior<Object> go(Go go) {
        runs = go.runs();
        done = go.done();
        submitted = 0;
        finished = 0;
        while (submitted < Math.min(runs, go.outstanding())) {
            submit();
        }
        return this;
    }

    private void submit() {
        door.tell(new DeviceCommand.Submit(requests[submitted++ % requests.length], me));
    }

    private Behavior<Object> finished(RunReply.Finished f) {
        if (f.failure() != null) {
            done.completeExceptionally(new IllegalStateException(f.failure().message()));
            return this;
        }
        finished++;
        if (submitted < runs) {
            submit();
        } else if (finished == runs) {
            done.complete((long) finished);
        }
        return this;
    }
}
