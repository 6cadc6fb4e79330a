package dev.baton.build;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceCommand.When;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.Refusal;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import dev.baton.protocol.build.Access;
import dev.baton.protocol.build.BuildSignal;
import java.util.function.Supplier;

/** What a build may ask of devices while it waits for the answer (B9). Each question is put only if it may be. */
final class Questions {
    private final String runName;
    private final AttemptEnd end;

    Questions(String runName, AttemptEnd end) {
        this.runName = runName;
        this.end = end;
    }

    Reply.AllocateReply allocate(String name, Supplier<Reply.AllocateReply> question) {
        return end.over() ? over("allocate " + name) : asked(question);
    }

    Reply.FreeReply free(BufferHandle buffer, When when, Supplier<Reply.FreeReply> question) {
        if (when == When.LATER) {
            return new Reply.Refused(Refusal.of(
                    RefusalCode.WOULD_DEADLOCK,
                    "free " + buffer + " when idle, inside the build of run " + runName
                            + ": the answer may need this very run to end. Free it now, or after the run."));
        }
        return end.over() ? over("free " + buffer) : asked(question);
    }

    DeviceStatus status(Supplier<DeviceStatus> question) {
        end.check();
        return asked(question);
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

    /** B4. No code is made for it; what can't be asked any more is asked in vain, like a wrong argument. */
    private Reply.Refused over(String asked) {
        return new Reply.Refused(Refusal.of(
                RefusalCode.INVALID_ARGUMENT,
                asked + ": this attempt of run " + runName + " has ended already; return from the build"));
    }
}
