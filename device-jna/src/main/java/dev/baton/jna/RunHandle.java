package dev.baton.jna;

import dev.baton.protocol.driver.CompletionListener;
import dev.baton.protocol.driver.RunPlan;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One run as library and Java both know it, from begin to its proven end. It holds all that native code was given the address of: the
 * plan's and the tasks' structures, and through the plan the staging of host arguments.
 */
final class RunHandle {
    final RunPlan plan;
    final NativeMemory memory = new NativeMemory();
    final int generation;
    final AtomicInteger wakes = new AtomicInteger();
    private final AtomicBoolean told = new AtomicBoolean();
    private volatile long number;
    private volatile boolean interrupted;
    private volatile boolean rung;
    private volatile @Nullable CompletionListener listener;

    RunHandle(RunPlan plan, int generation) {
        this.plan = plan;
        this.generation = generation;
    }

    void begun(long handle) {
        number = handle;
    }

    /** The library's number of it. */
    long number() {
        return number;
    }

    void interrupt() {
        interrupted = true;
    }

    boolean interrupted() {
        return interrupted;
    }

    /** Who is told once. */
    void listener(CompletionListener heard) {
        listener = heard;
    }

    /** The library's callback; on any thread, also inside launch. */
    void ring() {
        rung = true;
        CompletionListener heard = listener;
        if (heard != null && told.compareAndSet(false, true)) {
            heard.ended();
        }
    }

    /** Whether the library has said that the run may have ended. */
    boolean rung() {
        return rung;
    }

    /** For messages. */
    String name() {
        return "run " + plan.name();
    }
}
