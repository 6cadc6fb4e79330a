package dev.baton.ledger;

import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.Holder;
import dev.baton.protocol.OperationFailure;
import dev.baton.protocol.Refusal;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import dev.baton.protocol.build.HostBuild;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Registering callables: known from the moment of the command on; runs wait for the driver's word. */
final class Registry {
    private final LedgerState s;

    Registry(LedgerState state) {
        this.s = state;
    }

    void register(long token, CallableSpec spec, @Nullable HostBuild build) {
        Callables.Entry old = s.callables.find(spec.name());
        if (old != null && old.liveRuns > 0) {
            s.refuse(token, inUse("register " + spec.name(), old));
        } else if ((old == null && s.callables.size() >= s.limits.callables()) || s.memoryCallsFull()) {
            s.refuse(
                    token,
                    Refusals.of(
                            RefusalCode.BUSY,
                            "register " + spec.name() + ": " + s.callables.size()
                                    + " callables are registered (callables=" + s.limits.callables()
                                    + "). Unregister some."));
        } else {
            Callables.Entry entry = new Callables.Entry(spec, build);
            s.callables.put(entry);
            s.call(new IoCall.Register(spec.name(), spec), new LedgerState.PendingCall.ForRegister(token, entry));
        }
    }

    void registered(LedgerState.PendingCall.ForRegister pending, IoCall.Result result) {
        Callables.Entry entry = pending.entry();
        entry.registering = false;
        if (result instanceof IoCall.Failed f) {
            entry.failure = f.message();
            if (entry.liveRuns == 0) {
                s.callables.remove(entry);
            }
            s.port.reply(
                    pending.token(),
                    new Reply.Failed(
                            OperationFailure.REGISTER_FAILED, "register " + entry.spec.name() + ": " + f.message()),
                    true);
        } else {
            s.port.reply(pending.token(), new Reply.Registered(entry.spec.name()), true);
        }
        for (LiveRun run : s.runs.inOrder()) {
            if (run.callable == entry && run.blockers.isEmpty()) {
                s.port.unblocked(run.id.number());
            }
        }
    }

    void unregister(long token, String name) {
        Callables.Entry entry = s.callables.find(name);
        if (entry == null) {
            s.refuse(
                    token,
                    Refusals.of(
                            RefusalCode.UNKNOWN_CALLABLE, "unregister " + name + ": no such callable is registered"));
        } else if (entry.liveRuns > 0 || entry.registering) {
            s.refuse(token, inUse("unregister " + name, entry));
        } else {
            s.callables.remove(entry);
            s.call(new IoCall.Unregister(name), new LedgerState.PendingCall.ForUnregister(token, entry));
        }
    }

    void unregistered(LedgerState.PendingCall.ForUnregister pending, IoCall.Result result) {
        String name = pending.entry().spec.name();
        s.port.reply(
                pending.token(),
                result instanceof IoCall.Failed f
                        ? new Reply.Failed(OperationFailure.REGISTER_FAILED, "unregister " + name + ": " + f.message())
                        : new Reply.Unregistered(name),
                true);
    }

    private Refusal inUse(String asked, Callables.Entry entry) {
        List<Holder> by = new ArrayList<>();
        for (LiveRun run : s.runs.inOrder()) {
            if (run.callable == entry) {
                by.add(run.holder());
            }
        }
        return Refusals.by(
                RefusalCode.CALLABLE_IN_USE,
                by,
                asked + ": used by " + Refusals.names(by) + ". Wait for their answers.");
    }
}
