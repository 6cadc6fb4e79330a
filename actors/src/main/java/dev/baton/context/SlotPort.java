package dev.baton.context;

import dev.baton.protocol.driver.CompletionListener;
import java.time.Duration;

/** How a slot comes to its next step. */
interface SlotPort {
    /** How often a run on a driver that never blocks is asked about in case its listener is never called (R20). */
    Duration SAFETY_NET = Duration.ofMillis(100);

    /** The next step goes on waiting for a run's end, after what else is to be heard. */
    void keepWaiting(long run);

    /** A step that asks about a run comes after {@link #SAFETY_NET}, in place of one that was to come. */
    void net(long run);

    /** Whether such a step is to come. */
    boolean netIsUp();

    /** For the driver, which may call it on any thread: a step that asks about a run is to come now. */
    CompletionListener asking(long run);
}
