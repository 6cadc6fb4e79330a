package dev.baton.supervision;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunReply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;

/**
 * One log line for each run that failed, and one for what a close leaves behind. It knows buffers by their names: as many as the ledger's table holds (allocations), in
 * one epoch.
 */
final class FailureLog {
    /** A log line names at most so many buffers; the answer has all. */
    private static final int MAX_NAMES = 16;

    private final Logger log;
    private final String device;
    private final Map<Long, String> names = new HashMap<>();

    FailureLog(Logger log, String device) {
        this.log = log;
        this.device = device;
    }

    /** An answer was told. */
    void told(DeviceCommand command, Object reply) {
        if (reply instanceof Reply.Allocated a && command instanceof DeviceCommand.Allocate c) {
            names.put(a.buffer().id(), c.name());
        } else if (reply instanceof Reply.Allocated a && command instanceof dev.baton.protocol.LocalCommand.Adopt c) {
            names.put(a.buffer().id(), c.name());
        } else if (reply instanceof Reply.Released r) {
            names.remove(r.buffer().id());
        } else if (reply instanceof RunReply.Finished f
                && f.failure() != null
                && command instanceof DeviceCommand.Submit s
                && log.isWarnEnabled()) {
            log.warn("{}", FailureLine.of(device, s.request(), this::name, f.failure()));
        }
    }

    /** What a close leaves behind is said even if nobody hears its answer, as when the host shuts down (F3). */
    void closed(Reply.Closed c) {
        if (!c.leaked().isBlank()
                || !c.unreleasable().isEmpty()
                || !c.quarantined().isEmpty()) {
            log.warn(
                    "device={} closed unreleasable={} quarantined={} poison={} leaked={}",
                    device,
                    names(c.unreleasable()),
                    names(c.quarantined()),
                    c.poison() == null ? "none" : c.poison(),
                    c.leaked().isBlank() ? "nothing" : c.leaked());
        }
    }

    private static List<String> names(List<Reply.BufferRef> buffers) {
        return buffers.stream().limit(MAX_NAMES).map(Reply.BufferRef::name).toList();
    }

    private String name(BufferHandle handle) {
        return names.getOrDefault(handle.id(), handle.toString());
    }

    /** The epoch's buffers are gone. */
    void nextEpoch() {
        names.clear();
    }
}
