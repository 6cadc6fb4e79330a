package dev.baton.context;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of a context tell each other. It is heard in the order in which it was told, one at a time, each after the step
 * before has ended: as if each part were an actor of its own with one mailbox for all, without the price of one. Bounded, since a
 * step of one part tells the others at most a few things for each run that it moves.
 */
final class Corridor {
    private final ArrayDeque<Object> told = new ArrayDeque<>();

    void toLedger(LedgerMessage m) {
        told.add(m);
    }

    void toLane(LaneMessage m) {
        told.add(m);
    }

    void toSlot(int slot, SlotMessage m) {
        told.add(new ContextMessage.ToSlot(slot, m));
    }

    /** The next one, a message of the kinds above; null if there is none. */
    @Nullable
    Object next() {
        return told.poll();
    }
}
