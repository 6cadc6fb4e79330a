package dev.baton.testkit.runtime;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Exactly one thread has the turn; giving it away is the only hand-off, and carries all that was written before. */
final class Turn {
    /** How often a thread looks before it parks: a hand-off between running threads then costs no wake-up. */
    private static final int LOOKS = 300;

    private volatile @Nullable Thread owner;

    Turn(Thread first) {
        this.owner = first;
    }

    boolean mine() {
        return owner == Thread.currentThread();
    }

    void give(Thread to) {
        owner = to;
        LockSupport.unpark(to);
    }

    void awaitMine() {
        Thread me = Thread.currentThread();
        for (int i = 0; i < LOOKS; i++) {
            if (owner == me) {
                return;
            }
            Thread.onSpinWait();
        }
        while (owner != me) {
            LockSupport.park(this);
        }
    }
}
