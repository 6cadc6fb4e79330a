package dev.baton.ledger;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;

/** A ledger with a few words to speak to it. */
final class Desk {
    static final int BYTES = 16;

    final RecordingPort port = new RecordingPort();
    final Ledger ledger;
    private long token;
    private long address = 0x1000;

    Desk() {
        this(new LedgerLimits(2, 64, 16, 16, 64, 16, 4));
    }

    Desk(LedgerLimits limits) {
        this.ledger = new Ledger("dev", 7, limits, port);
        register("copy", Role.IN, Role.OUT);
        register("inc", Role.INOUT);
    }

    /** Nobody: the plain ledger answers by token. */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    static <T> ActorRef<T> nobody() {
        return TestInbox.<T>create().getRef();
    }

    private void register(String name, Role... roles) {
        say(new DeviceCommand.Register(new CallableSpec(name, name, Signature.of(roles)), nobody()));
        answerIo(IoCall.Done.INSTANCE);
    }

    long say(DeviceCommand command) {
        ledger.command(++token, command);
        return token;
    }

    /** Answers the oldest memory call. */
    void answerIo(IoCall.Result result) {
        Map.Entry<Long, IoCall> first = port.io.entrySet().iterator().next();
        port.io.remove(first.getKey());
        ledger.ioDone(first.getKey(), result);
    }

    BufferHandle allocate(String name) {
        long t = say(new DeviceCommand.Allocate(name, BYTES, nobody()));
        answerIo(new IoCall.Done(address));
        address += 64;
        return ((Reply.Allocated) port.last(t)).buffer();
    }

    long free(BufferHandle buffer) {
        return say(new DeviceCommand.Free(buffer, 0, DeviceCommand.When.NOW, nobody()));
    }

    long freeWhenIdle(BufferHandle buffer) {
        return say(new DeviceCommand.Free(buffer, 0, DeviceCommand.When.LATER, nobody()));
    }

    long write(String name, BufferHandle buffer, long offset, float... values) {
        return say(new DeviceCommand.Write(name, buffer, offset, HostBytes.ofFloats(values), nobody()));
    }

    long read(BufferHandle buffer, DeviceCommand.When when) {
        return say(new DeviceCommand.Read("r", buffer, 0, BYTES, when, nobody()));
    }

    long submit(RunRequest.Builder request) {
        return say(new DeviceCommand.Submit(request.build(), nobody()));
    }

    long copy(String name, BufferHandle in, BufferHandle out) {
        return submit(copyRequest(name, in, out));
    }

    static RunRequest.Builder copyRequest(String name, BufferHandle in, BufferHandle out) {
        return RunRequest.of("copy")
                .named(name)
                .tensor(in.tensor(DataType.F32, 4))
                .tensor(out.tensor(DataType.F32, 4));
    }

    static RunRequest.Builder incRequest(String name, BufferHandle x) {
        return RunRequest.of("inc").named(name).tensor(x.tensor(DataType.F32, 4));
    }

    /** The number of the run that a submit admitted. */
    long run(long submitToken) {
        return ((RunReply.Accepted) java.util.Objects.requireNonNull(port.replies.get(submitToken))
                        .get(0))
                .run()
                .number();
    }

    void complete(long submitToken) {
        end(submitToken, new RunEnd(null, true, false, true, false, List.of(), List.of()));
    }

    void fail(long submitToken, FailureReason reason, boolean launched) {
        RunFailure failure = new RunFailure(reason, null, "test", "it failed");
        end(submitToken, new RunEnd(failure, true, false, launched, false, List.of(), List.of()));
    }

    void loseIt(long submitToken) {
        RunFailure failure = new RunFailure(FailureReason.UNPROVEN, null, "finalize", "it was lost");
        end(submitToken, new RunEnd(failure, false, true, true, true, List.of(), new ArrayList<>()));
    }

    private void end(long submitToken, RunEnd end) {
        ledger.discharge(run(submitToken), end, 0);
        ledger.afterStep();
    }
}
