package dev.baton.supervision;

import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.RunReply;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/** One log line for each run that failed: run, callable, first cause and the way out. */
final class FailureLog {
    private FailureLog() {}

    /** Asks for the actor's logger, which costs more than the answer itself, only if there is something to tell. */
    static void told(ActorContext<?> ctx, String device, DeviceCommand command, Object reply) {
        if (reply instanceof RunReply.Finished f
                && f.failure() != null
                && command instanceof DeviceCommand.Submit s
                && ctx.getLog().isInfoEnabled()) {
            ctx.getLog()
                    .info(
                            "device={} run={} callable={} failed reason={} at={}: {}",
                            device,
                            f.name(),
                            s.request().callable(),
                            f.failure().reason(),
                            f.failure().operation(),
                            f.failure().message());
        }
    }
}
