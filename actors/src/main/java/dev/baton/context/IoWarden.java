package dev.baton.context;

import dev.baton.ledger.IoCall;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/** Passes the ledger's memory calls to the I/O actor, and keeps the limit of each (N11). */
final class IoWarden {
    private static final String TIMER = "memory-call";

    private record Call(long number, IoCall what) {}

    private final ActorRef<ContextMessage> self;
    private final TimerScheduler<ContextMessage> timers;
    private final ActorRef<IoMessage> io;
    private final @Nullable Duration limit;
    /** Calls under way, in order; bounded by the ledger's tables. */
    private final Deque<Call> calls = new ArrayDeque<>();

    IoWarden(
            ActorRef<ContextMessage> self,
            TimerScheduler<ContextMessage> timers,
            ActorRef<IoMessage> io,
            @Nullable Duration limit) {
        this.self = self;
        this.timers = timers;
        this.io = io;
        this.limit = limit;
    }

    void call(long number, IoCall what) {
        Call call = new Call(number, what);
        calls.add(call);
        if (calls.size() == 1) {
            startLimit(call);
        }
        io.tell(new IoMessage(number, what, self));
    }

    private void startLimit(Call call) {
        if (limit != null) {
            timers.startSingleTimer(TIMER, new ContextMessage.IoLimit(call.number()), limit);
        }
    }

    /** A call returned; false if nobody waits for it any more. */
    boolean done(long number) {
        Call first = calls.peek();
        if (first == null || first.number() != number) {
            return false;
        }
        calls.poll();
        if (limit != null) {
            timers.cancel(TIMER);
            Call next = calls.peek();
            if (next != null) {
                startLimit(next);
            }
        }
        return true;
    }

    /** A limit has passed: what did not return, in words; null if it did, and nothing follows. */
    @Nullable
    String overdue(long number) {
        Call first = calls.peek();
        if (first == null || first.number() != number) {
            return null;
        }
        calls.clear();
        String what = first.what().getClass().getSimpleName().toLowerCase(Locale.ROOT);
        return "the driver's " + what + " of " + first.what().label() + " did not return within " + limit
                + "; its thread is quarantined";
    }
}
