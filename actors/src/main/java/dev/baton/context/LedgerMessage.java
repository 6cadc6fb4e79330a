package dev.baton.context;

import dev.baton.ledger.IoCall;
import dev.baton.ledger.RunEnd;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.RunFailure;
import java.util.List;

/** What the ledger hears. */
sealed interface LedgerMessage {
    record Command(long token, DeviceCommand command) implements LedgerMessage {}

    record Begin(long run, int attempt, boolean early, long admissionsSeen) implements LedgerMessage {}

    record AskLaunch(long run) implements LedgerMessage {}

    record AskCopyBack(long run) implements LedgerMessage {}

    record Unproven(long run, RunFailure failure, List<Object> retained) implements LedgerMessage {}

    record Poisoned(long run, RunFailure failure) implements LedgerMessage {}

    /** A discharge and the poison that comes with it are one message. */
    record Discharge(long run, RunEnd end, long timeNanos) implements LedgerMessage {}

    record IoDone(long call, IoCall.Result result) implements LedgerMessage {}

    enum Close implements LedgerMessage {
        INSTANCE
    }

    /** From the lane, once it waits for nothing it can cut short. */
    record CloseNow(boolean graceOver) implements LedgerMessage {}

    record Watched(boolean on) implements LedgerMessage {}

    record FailDeclarations(int times) implements LedgerMessage {}
}
