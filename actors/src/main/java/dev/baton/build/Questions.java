package dev.baton.build;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceCommand.When;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.Refusal;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import dev.baton.protocol.build.Access;
import dev.baton.protocol.build.BuildSignal;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** What a build may ask of devices while it waits for the answer (B9). Each question is put only if it may be. */
final class Questions {
    private final Attempt attempt;
    private final BuildServices services;
    private final AttemptEnd end;

    Questions(Attempt attempt, AttemptEnd end) {
        this.attempt = attempt;
        this.services = attempt.services();
        this.end = end;
    }

    Reply.AllocateReply allocate(@Nullable ActorRef<DeviceCommand> device, String name, long bytes) {
        if (end.over()) {
            return over("allocate " + name);
        }
        Reply.AllocateReply reply = asked(() -> services.allocate(device, name, bytes));
        if (reply instanceof Reply.Allocated a) {
            attempt.allocated().add(new BuildSession.Allocation(device, a.buffer()));
        }
        return reply;
    }

    Reply.FreeReply free(@Nullable ActorRef<DeviceCommand> device, BufferHandle buffer, When when) {
        return free(device, buffer, 0, when);
    }

    private Reply.FreeReply free(
            @Nullable ActorRef<DeviceCommand> device, BufferHandle buffer, long offset, When when) {
        if (when == When.LATER) {
            return wouldDeadlock("free " + buffer + " when idle", "Free it now, or after the run.");
        }
        if (end.over()) {
            return over("free " + buffer);
        }
        Reply.FreeReply reply = asked(() -> services.free(device, buffer, offset));
        if (reply instanceof Reply.Released) {
            attempt.allocated().removeIf(a -> a.buffer().equals(buffer));
        }
        return reply;
    }

    DeviceStatus status(@Nullable ActorRef<DeviceCommand> device) {
        end.check();
        return asked(() -> services.status(device));
    }

    /** Any command: the three that may be asked are, all others would deadlock. */
    Object ask(ActorRef<DeviceCommand> device, Function<ActorRef<Object>, DeviceCommand> command) {
        DeviceCommand c = command.apply(services.nobody());
        if (c instanceof DeviceCommand.Allocate a) {
            return allocate(device, a.name(), a.bytes());
        } else if (c instanceof DeviceCommand.Free f) {
            return free(device, f.buffer(), f.offset(), f.when());
        } else if (c instanceof DeviceCommand.GetStatus) {
            return status(device);
        }
        return wouldDeadlock(
                c.getClass().getSimpleName().toLowerCase(Locale.ROOT),
                "A build may ask for allocate, free now and status; the rest is for clients.");
    }

    /** A question that breaks down is the build's failure, even where the build swallows it. */
    private <T> T asked(Supplier<T> question) {
        try {
            return question.get();
        } catch (RuntimeException | Error thrown) {
            end.fail(thrown);
            throw new BuildSignal(Access.Ended.INSTANCE);
        }
    }

    private Reply.Refused wouldDeadlock(String asked, String next) {
        return new Reply.Refused(Refusal.of(
                RefusalCode.WOULD_DEADLOCK,
                asked + ", inside the build of run " + attempt.runName()
                        + ": the answer may need this very run to end. " + next));
    }

    /** B4. No code is made for it; what can't be asked any more is asked in vain, like a wrong argument. */
    private Reply.Refused over(String asked) {
        return new Reply.Refused(Refusal.of(
                RefusalCode.INVALID_ARGUMENT,
                asked + ": this attempt of run " + attempt.runName() + " has ended already; return from the build"));
    }
}
