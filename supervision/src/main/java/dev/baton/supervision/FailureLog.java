package dev.baton.supervision;

import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.RunReply;
import org.slf4j.Logger;

/** One log line for each run that failed: run, callable, first cause and the way out. */
final class FailureLog {
    private FailureLog() {}

    static void told(Logger log, String device, DeviceCommand command, Object reply) {
        if (reply instanceof RunReply.Finished f
                && f.failure() != null
                && command instanceof DeviceCommand.Submit s
                && log.isInfoEnabled()) {
            log.info(
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
