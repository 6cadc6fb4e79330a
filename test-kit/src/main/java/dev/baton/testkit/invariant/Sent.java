package dev.baton.testkit.invariant;

import dev.baton.protocol.Argument;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunId;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import dev.baton.protocol.Tensor;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A submit that was sent, and what was heard of it. */
public final class Sent {
    final String name;
    final Set<BufferHandle> named = new HashSet<>();
    final Set<BufferHandle> written = new HashSet<>();
    boolean raw;

    RunReply.@Nullable Accepted accepted;

    boolean rejected;
    boolean finished;
    /** Rejected by a door that lost what is behind it, and with that perhaps an admission. */
    boolean inDoubt;

    Sent(RunRequest request, Signature signature) {
        this.name = request.name();
        for (int i = 0; i < request.arguments().size(); i++) {
            if (request.arguments().get(i) instanceof Argument.OnDevice d && !empty(d.tensor())) {
                if (d.tensor().location() instanceof BufferHandle h) {
                    named.add(h);
                    boolean writes = i < signature.parameters().size()
                            && signature.parameters().get(i).role() != Role.IN;
                    if (writes) {
                        written.add(h);
                    }
                } else {
                    raw = true;
                }
            }
        }
    }

    private static boolean empty(Tensor t) {
        return t.shape().contains(0L);
    }

    /** Whether it was admitted and not answered to the end. */
    boolean live() {
        return accepted != null && !finished;
    }

    boolean liveIn(long epoch) {
        RunReply.Accepted a = accepted;
        return a != null && !finished && a.run().epoch() == epoch;
    }

    boolean isIn(Set<RunId> ids) {
        RunReply.Accepted a = accepted;
        return a != null && ids.contains(a.run());
    }

    /** Whether it names the buffer by its handle, and if asked as one that it writes. */
    boolean names(BufferHandle buffer, boolean asWritten) {
        return (asWritten ? written : named).contains(buffer);
    }

    long dispatch() {
        RunReply.Accepted a = accepted;
        return a == null ? -1 : a.dispatch();
    }
}
