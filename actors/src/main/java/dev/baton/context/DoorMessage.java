package dev.baton.context;

import dev.baton.lane.Lane;
import dev.baton.ledger.LedgerView;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.Reply;
import java.util.List;

/** What an epoch tells the door; each message carries the epoch, so that late ones are dropped. */
public interface DoorMessage {
    /** An answer for a client; {@code last} if nothing more will come for the token. */
    record Answer(long epoch, long token, Object reply, boolean last) implements DoorMessage {}

    /** For those who watch. */
    record Event(long epoch, DeviceEvent event) implements DoorMessage {}

    /** The parts of a status. */
    record StatusParts(long epoch, long token, LedgerView ledger, List<Lane.RunView> runs) implements DoorMessage {}

    /** A close is done. */
    record Closed(long epoch, Reply.Closed report, boolean destroyable) implements DoorMessage {}

    /** The epoch can't be trusted any more; {@code ioStuck} if a memory call never returned. */
    record Failing(long epoch, String why, boolean ioStuck) implements DoorMessage {}

    /** A slot's thread stands in a call that did not return. */
    record Quarantined(long epoch, int slot) implements DoorMessage {}
}
