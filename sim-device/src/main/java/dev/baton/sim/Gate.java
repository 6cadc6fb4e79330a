package dev.baton.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One turn at a time, held for a few field accesses only: never while waiting, executing kernels or copying bytes. Under a runtime
 * that runs one thread at a time nobody ever finds it taken. Not to be entered twice by one thread.
 */
final class Gate {
    /** So many looks at a taken gate before its holder is given the processor. */
    private static final int SPINS = 128;

    private final AtomicBoolean taken = new AtomicBoolean();
    private @Nullable List<Runnable> after;

    @SuppressWarnings("ThreadPriorityCheck") // only the holder can end this, and on few cores it may not be running
    void enter() {
        for (int looks = 0; !taken.compareAndSet(false, true); looks++) {
            if (looks < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    /** Inside the gate: what its holder does as soon as it has left. */
    void after(Runnable body) {
        if (after == null) {
            after = new ArrayList<>();
        }
        after.add(body);
    }

    void leave() {
        List<Runnable> bodies = after;
        after = null;
        taken.set(false);
        if (bodies != null) {
            bodies.forEach(Runnable::run);
        }
    }

    <T extends @Nullable Object> T get(Supplier<T> body) {
        enter();
        try {
            return body.get();
        } finally {
            leave();
        }
    }

    void run(Runnable body) {
        enter();
        try {
            body.run();
        } finally {
            leave();
        }
    }
}
