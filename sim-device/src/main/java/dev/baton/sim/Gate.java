package dev.baton.sim;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One turn at a time, held for a few field accesses only: never while waiting, executing kernels or copying bytes. */
final class Gate {
    private final AtomicBoolean taken = new AtomicBoolean();

    void enter() {
        while (!taken.compareAndSet(false, true)) {
            Thread.onSpinWait();
        }
    }

    void leave() {
        taken.set(false);
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
