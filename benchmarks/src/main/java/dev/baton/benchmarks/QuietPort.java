package dev.baton.benchmarks;

import dev.baton.build.Fence;
import dev.baton.ledger.IoCall;
import dev.baton.ledger.LedgerPort;
import dev.baton.ledger.RunWork;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunFailure;
import org.jspecify.annotations.Nullable;

/** Hears a plain ledger and keeps only what the benchmark must know: the last run, call and buffer. */
final class QuietPort implements LedgerPort {
    long run;
    long call;

    @Nullable
    BufferHandle buffer;

    int refused;

    @Override
    public void reply(long token, Object reply, boolean last) {
        if (reply instanceof Reply.Allocated a) {
            buffer = a.buffer();
        } else if (reply instanceof Reply.Refused) {
            refused++;
        }
    }

    @Override
    public void admitted(RunWork work, int slot, boolean blocked, long admission) {
        run = work.number();
    }

    @Override
    public void slotChanged(long number, int slot) {
        // no lane listens
    }

    @Override
    public void unblocked(long number) {
        // no lane listens
    }

    @Override
    public void beginGranted(long number, int attempt, Fence fence) {
        // no lane listens
    }

    @Override
    public void beginDenied(long number, int attempt, boolean onlyAtFront) {
        // no lane listens
    }

    @Override
    public void launchGranted(long number) {
        // no lane listens
    }

    @Override
    public void failedAhead(long number, RunFailure failure) {
        throw new IllegalStateException(failure.message());
    }

    @Override
    public void copyBackGranted(long number, @Nullable RunFailure failure) {
        // no lane listens
    }

    @Override
    public void io(long number, IoCall what) {
        call = number;
    }

    @Override
    public void event(DeviceEvent event) {
        // nobody watches
    }

    @Override
    public void deviceFailed(String why) {
        throw new IllegalStateException(why);
    }
}
