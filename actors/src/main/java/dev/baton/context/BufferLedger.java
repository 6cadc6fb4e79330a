package dev.baton.context;

import dev.baton.build.Fence;
import dev.baton.ledger.IoCall;
import dev.baton.ledger.Ledger;
import dev.baton.ledger.LedgerLimits;
import dev.baton.ledger.LedgerPort;
import dev.baton.ledger.RunWork;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.RunFailure;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * The ledger's part of the context: one message, one step of the {@link Ledger}. It hears clients' commands in the order of the
 * door, and passes those of the lane on in that order.
 */
final class BufferLedger implements LedgerPort {
    private final long epoch;
    private final ActorRef<DoorMessage> door;
    private final Corridor corridor;
    private final IoWarden io;
    private final Ledger ledger;
    private boolean watched;

    BufferLedger(
            String device,
            long epoch,
            LedgerLimits limits,
            ActorRef<DoorMessage> door,
            Corridor corridor,
            IoWarden io,
            Decorator decorator) {
        this.epoch = epoch;
        this.door = door;
        this.corridor = corridor;
        this.io = io;
        this.ledger = new Ledger(device, epoch, limits, this);
        decorator.ledger(ledger::view);
    }

    /** One step. */
    void step(LedgerMessage m) {
        if (m instanceof LedgerMessage.Command c) {
            command(c);
        } else if (m instanceof LedgerMessage.Begin b) {
            ledger.begin(b.run(), b.attempt(), b.early(), b.admissionsSeen());
        } else if (m instanceof LedgerMessage.AskLaunch a) {
            ledger.launch(a.run());
        } else if (m instanceof LedgerMessage.Discharge d) {
            ledger.discharge(d.run(), d.end(), d.timeNanos());
        } else if (m instanceof LedgerMessage.IoDone d) {
            ledger.ioDone(d.call(), d.result());
        } else if (m instanceof LedgerMessage.AskCopyBack a) {
            ledger.copyBack(a.run());
        } else if (m instanceof LedgerMessage.Unproven u) {
            ledger.unproven(u.run(), u.failure(), u.retained());
        } else if (m instanceof LedgerMessage.Poisoned p) {
            ledger.poisoned(p.run(), p.failure());
        } else if (m instanceof LedgerMessage.Close) {
            ledger.close();
            corridor.toLane(LaneMessage.AbandonHeld.INSTANCE);
        } else if (m instanceof LedgerMessage.CloseNow c) {
            if (c.graceOver()) {
                closed(ledger.closeNow("what was under way did not end in time"));
            } else {
                ledger.timeIsUp();
            }
        } else if (m instanceof LedgerMessage.Watched w) {
            watched = w.on();
        } else if (m instanceof LedgerMessage.FailDeclarations f) {
            ledger.failDeclarations(f.times());
        }
        closed(ledger.afterStep());
    }

    private void command(LedgerMessage.Command c) {
        DeviceCommand command = c.command();
        if (command instanceof DeviceCommand.Activate a) {
            corridor.toLane(new LaneMessage.Activate(c.token(), a.run()));
        } else if (command instanceof DeviceCommand.Abandon a) {
            corridor.toLane(new LaneMessage.Abandon(c.token(), a.run()));
        } else if (command instanceof DeviceCommand.GetStatus) {
            corridor.toLane(new LaneMessage.Status(c.token(), ledger.view()));
        } else if (!ledger.command(c.token(), command)) {
            throw new IllegalStateException("not a command of the ledger: " + command);
        }
    }

    private void closed(Ledger.@Nullable Closed closed) {
        if (closed != null) {
            door.tell(new DoorMessage.Closed(epoch, closed.report(), closed.destroyable()));
        }
    }

    // ---- LedgerPort

    @Override
    public void reply(long token, Object reply, boolean last) {
        door.tell(new DoorMessage.Answer(epoch, token, reply, last));
    }

    @Override
    public void admitted(RunWork work, int slot, boolean blocked, long admission) {
        corridor.toLane(new LaneMessage.Admitted(work, slot, blocked));
    }

    @Override
    public void slotChanged(long run, int slot) {
        corridor.toLane(new LaneMessage.SlotChanged(run, slot));
    }

    @Override
    public void unblocked(long run) {
        corridor.toLane(new LaneMessage.Unblocked(run));
    }

    @Override
    public void beginGranted(long run, int attempt, Fence fence) {
        corridor.toLane(new LaneMessage.BeginGranted(run, attempt, fence));
    }

    @Override
    public void beginDenied(long run, int attempt, boolean onlyAtFront) {
        corridor.toLane(new LaneMessage.BeginDenied(run, attempt, onlyAtFront));
    }

    @Override
    public void launchGranted(long run) {
        corridor.toLane(new LaneMessage.LaunchGranted(run));
    }

    @Override
    public void failedAhead(long run, RunFailure failure) {
        corridor.toLane(new LaneMessage.FailedAhead(run, failure));
    }

    @Override
    public void copyBackGranted(long run, @Nullable RunFailure failure) {
        corridor.toLane(new LaneMessage.CopyBackGranted(run, failure));
    }

    @Override
    public void io(long call, IoCall what) {
        io.call(call, what);
    }

    @Override
    public void event(DeviceEvent event) {
        if (watched || event instanceof DeviceEvent.Poisoned) {
            door.tell(new DoorMessage.Event(epoch, event));
        }
    }

    @Override
    public void deviceFailed(String why) {
        door.tell(new DoorMessage.Failing(epoch, why, false));
        throw new IllegalStateException(why);
    }
}
