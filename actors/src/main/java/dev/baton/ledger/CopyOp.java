package dev.baton.ledger;

import dev.baton.protocol.Holder;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A copy from its decision until it is done (L13). */
final class CopyOp {
    final long number;
    final Holder.Kind kind;
    final String name;
    final long token;
    final @Nullable Range reads;
    final @Nullable Range writes;
    /** What the platform is to do, made when the copy takes its place in the order of memory calls. */
    final IoCall call;

    /** Runs whose values a Read waits for (L12). */
    final Set<LiveRun> waitsFor = new LinkedHashSet<>(0);

    /** Whether it has taken its place in the order of memory calls. */
    boolean placed;

    /** A failed copy ahead of it left the bytes that it reads void. */
    @Nullable
    Cause spoiled;

    CopyOp(
            long number,
            Holder.Kind kind,
            String name,
            long token,
            @Nullable Range reads,
            @Nullable Range writes,
            IoCall call) {
        this.number = number;
        this.kind = kind;
        this.name = name;
        this.token = token;
        this.reads = reads;
        this.writes = writes;
        this.call = call;
    }

    Holder holder() {
        return new Holder(kind, number, name);
    }

    boolean conflictsWith(CopyOp other) {
        return touches(writes, other.reads) || touches(writes, other.writes) || touches(reads, other.writes);
    }

    /** Whether a run's use conflicts: it touches what a Write covers, or writes what a Read covers. */
    boolean conflictsWith(Use use) {
        Range w = writes;
        Range r = reads;
        return (w != null && use.overlaps(w.allocation(), w.start(), w.end()))
                || (r != null && use.role().writes() && use.overlaps(r.allocation(), r.start(), r.end()));
    }

    private static boolean touches(@Nullable Range a, @Nullable Range b) {
        return a != null && b != null && a.overlaps(b);
    }
}
