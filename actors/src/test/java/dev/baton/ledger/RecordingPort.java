package dev.baton.ledger;

import dev.baton.build.Fence;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunReply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps all that a ledger tells. */
final class RecordingPort implements LedgerPort {
    final Map<Long, List<Object>> replies = new LinkedHashMap<>();
    final List<String> lane = new ArrayList<>();
    final Map<Long, IoCall> io = new LinkedHashMap<>();
    final List<DeviceEvent> events = new ArrayList<>();
    final List<RunWork> admitted = new ArrayList<>();
    final Map<Long, RunFailure> failedAhead = new LinkedHashMap<>();
    String failed = "";

    Object last(long token) {
        List<Object> all = replies.getOrDefault(token, List.of());
        if (all.isEmpty()) {
            throw new AssertionError("token " + token + " was not answered");
        }
        return all.get(all.size() - 1);
    }

    String code(long token) {
        Object reply = last(token);
        if (reply instanceof Reply.Refused r) {
            return r.refusal().code().name();
        } else if (reply instanceof RunReply.Rejected r) {
            return r.refusal().code().name();
        } else if (reply instanceof Reply.Failed f) {
            return f.failure().name();
        } else if (reply instanceof RunReply.Finished f) {
            return f.failure() == null ? "COMPLETED" : f.failure().reason().name();
        }
        return reply.getClass().getSimpleName();
    }

    boolean answered(long token) {
        return replies.containsKey(token);
    }

    @Override
    public void reply(long token, Object reply, boolean last) {
        replies.computeIfAbsent(token, t -> new ArrayList<>()).add(reply);
    }

    @Override
    public void admitted(RunWork work, int slot, boolean blocked, long admission) {
        admitted.add(work);
        lane.add("admitted " + work.name() + " slot=" + slot + (blocked ? " blocked" : ""));
    }

    @Override
    public void slotChanged(long run, int slot) {
        lane.add("slot " + run + "=" + slot);
    }

    @Override
    public void unblocked(long run) {
        lane.add("unblocked " + run);
    }

    @Override
    public void beginGranted(long run, int attempt, Fence fence) {
        lane.add("begin " + run);
    }

    @Override
    public void beginDenied(long run, int attempt, boolean onlyAtFront) {
        lane.add("denied " + run + (onlyAtFront ? " front" : ""));
    }

    @Override
    public void launchGranted(long run) {
        lane.add("launch " + run);
    }

    @Override
    public void failedAhead(long run, RunFailure failure) {
        lane.add("failed " + run + " " + failure.reason());
        failedAhead.put(run, failure);
    }

    @Override
    public void copyBackGranted(long run, @Nullable RunFailure failure) {
        lane.add("copyBack " + run);
    }

    @Override
    public void io(long call, IoCall what) {
        io.put(call, what);
    }

    @Override
    public void event(DeviceEvent event) {
        events.add(event);
    }

    @Override
    public void deviceFailed(String why) {
        failed = why;
    }
}
