package dev.baton.lane;

import dev.baton.lane.FailurePolicy.Happening;
import dev.baton.ledger.RunWork;
import dev.baton.protocol.HostTensor;
import dev.baton.protocol.RunPhase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One live run as the lane knows it. */
final class LaneRun {
    /** What the lane has asked the ledger for and waits to hear. */
    enum Asking {
        NOTHING,
        BEGIN,
        LAUNCH,
        COPY_BACK
    }

    final RunWork work;
    RunPhase phase = RunPhase.QUEUED;
    int slot;
    int attempt;
    boolean activated;
    boolean blocked;
    /** Its next preparation is at the front: it needs a value, its driver needs the front, or a host buffer ahead. */
    boolean frontOnly;

    Asking asking = Asking.NOTHING;
    String waitsFor = "";
    /** What its last preparation emitted, for people. */
    String tasks = "";

    /** An end decided before it could be carried out: it stands. */
    @Nullable
    Ending decided;
    /** The first thing that went wrong with the run itself. */
    @Nullable
    Ending own;
    /** An unproven end, told to the ledger already. */
    @Nullable
    Ending unproven;

    boolean launchCalled;
    boolean launched;
    /** The device has ended with it, or nobody will ever know better. */
    boolean over;

    boolean executionTimer;
    boolean callTimer;
    /** Its finalize may drain, that is wait for the device. */
    boolean draining;
    /** Told to finalize without waiting further. */
    boolean interrupted;

    boolean copiedBack;
    /** Whether the slot stands in a driver call or a wait for this run. */
    String call = "";

    List<HostTensor> outputs = List.of();
    List<Object> retained = List.of();

    LaneRun(RunWork work, int slot, boolean blocked) {
        this.work = work;
        this.slot = slot;
        this.blocked = blocked;
        this.activated = !work.held();
    }

    long number() {
        return work.number();
    }

    boolean ending() {
        return decided != null || unproven != null || phase == RunPhase.FINALIZED || phase == RunPhase.RETIRED;
    }

    /** What happened, and how it is told. */
    record Ending(Happening happening, String operation, String message, dev.baton.protocol.@Nullable Holder by) {}
}
