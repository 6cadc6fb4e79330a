package dev.baton.protocol.build;

import dev.baton.protocol.Holder;

/** The answer to one access of a build (B3). It belongs to that access on that thread. */
public sealed interface Access {
    /** @param bits the element's bits as in {@link dev.baton.protocol.Scalar#bits} */
    record Value(long bits) implements Access {}

    /** Done; the answer to a write. */
    record Done() implements Access {
        public static final Done INSTANCE = new Done();
    }

    /** Outside this run's arguments, or a write to an IN argument. */
    record NotCovered(String why) implements Access {}

    /** An earlier live run declares those bytes, or, for a write, names them. */
    record NotProducedYet(Holder by) implements Access {}

    /** The bytes are void. */
    record Failed(Holder by, String why) implements Access {}

    /** The bytes are unreadable. */
    record Unproven(Holder by, String why) implements Access {}

    /** The attempt has failed already: nothing was touched (B4). */
    record Ended() implements Access {
        public static final Ended INSTANCE = new Ended();
    }
}
