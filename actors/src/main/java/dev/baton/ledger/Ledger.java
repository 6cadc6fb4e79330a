package dev.baton.ledger;

import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.LocalCommand;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ledger of one epoch: every decision about memory and admission, one step each, single-threaded, without Pekko.
 *
 * <p>Each public method is one step: it decides, changes the tables, and tells the {@link LedgerPort} what follows, in the
 * order in which it must be heard.
 */
public final class Ledger {
    private final LedgerState s;
    private final Admission admission;
    private final Releases releases;
    private final Transfers transfers;
    private final Discharges discharges;
    private final Registry registry;
    private final Leases leases;
    private final Closing closing;

    public Ledger(String device, long epoch, LedgerLimits limits, LedgerPort port) {
        this.s = new LedgerState(device, epoch, limits, port);
        this.admission = new Admission(s);
        this.releases = new Releases(s);
        this.transfers = new Transfers(s, releases);
        this.discharges = new Discharges(s, transfers, releases);
        this.registry = new Registry(s);
        this.leases = new Leases(s);
        this.closing = new Closing(s);
    }

    /**
     * Decides a client's command.
     *
     * @param token names the command in answers
     * @return false if the command is not the ledger's
     */
    public boolean command(long token, DeviceCommand command) {
        if (command instanceof DeviceCommand.Submit c) {
            admission.submit(token, c.request());
        } else if (command instanceof DeviceCommand.Free c) {
            releases.free(token, c);
        } else if (command instanceof DeviceCommand.Write c) {
            transfers.write(token, c);
        } else if (command instanceof DeviceCommand.Read c) {
            transfers.read(token, c);
        } else if (command instanceof DeviceCommand.Allocate c) {
            releases.allocate(token, c);
        } else if (command instanceof DeviceCommand.Copy c) {
            transfers.copy(token, c);
        } else if (command instanceof DeviceCommand.Fill c) {
            transfers.fill(token, c);
        } else if (command instanceof DeviceCommand.Revalidate c) {
            releases.revalidate(token, c.buffer());
        } else if (command instanceof DeviceCommand.LeaseSlot c) {
            leases.lease(token, c.slot());
        } else if (command instanceof DeviceCommand.GiveBack c) {
            leases.giveBack(token, c.lease());
        } else if (command instanceof DeviceCommand.Register c) {
            registry.register(token, c.callable(), null);
        } else if (command instanceof DeviceCommand.Unregister c) {
            registry.unregister(token, c.callable());
        } else if (command instanceof LocalCommand.RegisterBuild c) {
            registry.register(token, c.callable(), c.build());
        } else if (command instanceof LocalCommand.Adopt c) {
            releases.adopt(token, c.name(), c.memory());
        } else if (command instanceof DeviceCommand.Drain) {
            closing.drain(token);
        } else {
            return false;
        }
        return true;
    }

    /** The lane wants to begin a preparation; see {@link LedgerPort#beginGranted}. */
    public void begin(long run, int attempt, boolean early, long admissionsSeen) {
        discharges.begin(run, attempt, early, admissionsSeen);
    }

    /** The lane wants to launch a prepared run. */
    public void launch(long run) {
        discharges.launch(run);
    }

    /** The lane wants a run's host buffers written back. */
    public void copyBack(long run) {
        discharges.copyBack(run);
    }

    /** A run ended unproven: marks and poison now, the answer in its turn (F2). */
    public void unproven(long run, RunFailure failure, List<Object> retained) {
        discharges.unproven(run, failure, retained);
    }

    /** A run's proven end poisons the lane: the poison now, the answer in its turn (F2). */
    public void poisoned(long run, RunFailure failure) {
        discharges.poisoned(run, failure);
    }

    /** A run has retired (L7). */
    public void discharge(long run, RunEnd end, long timeNanos) {
        discharges.discharge(run, end, timeNanos);
    }

    /** The platform has answered a memory call. */
    public void ioDone(long call, IoCall.Result result) {
        LedgerState.PendingCall pending = s.calls.remove(call);
        if (pending instanceof LedgerState.PendingCall.ForAllocate p) {
            releases.allocated(p, result);
        } else if (pending instanceof LedgerState.PendingCall.ForFree p) {
            if (!closing.freed(p.allocation(), result)) {
                releases.freed(p, result);
            }
        } else if (pending instanceof LedgerState.PendingCall.ForCopy p) {
            transfers.done(p.op(), result);
        } else if (pending instanceof LedgerState.PendingCall.ForRegister p) {
            registry.registered(p, result);
        } else if (pending instanceof LedgerState.PendingCall.ForUnregister p) {
            registry.unregistered(p, result);
        }
    }

    /** Drains towards a close (F3). */
    public void close() {
        closing.begin();
    }

    /** After every step: answers drains, goes on with a close; gives what the close came to, once. */
    public @Nullable Closed afterStep() {
        Closing.Report report = closing.step();
        return report == null ? null : new Closed(report.closed(), report.destroyable());
    }

    /** The close-timeout has passed: memory calls under way are not waited for, once no run is live (F3). */
    public void timeIsUp() {
        closing.timeIsUp();
    }

    /** Ends a close whose time is over, whatever is under way; null if it is done already. */
    public @Nullable Closed closeNow(String why) {
        Closing.Report report = closing.now(why);
        return report == null ? null : new Closed(report.closed(), report.destroyable());
    }

    /** The ledger's part of a status. */
    public LedgerView view() {
        return new StatusReport(s).view();
    }

    /** Makes the next declarations fail, for tests of L5. */
    public void failDeclarations(int times) {
        s.declareFaults = times;
    }

    /** Callables by name, kept over a reset. */
    public List<Callables.Entry> callables() {
        java.util.ArrayList<Callables.Entry> list = new java.util.ArrayList<>();
        for (Callables.Entry e : s.callables.all()) {
            if (!e.registering && e.failure == null) {
                list.add(e);
            }
        }
        list.sort(java.util.Comparator.comparing(e -> e.spec().name()));
        return list;
    }

    /**
     * What a close came to.
     *
     * @param destroyable whether the driver may be closed
     */
    public record Closed(Reply.Closed report, boolean destroyable) {}
}
