package dev.baton.ledger;

import dev.baton.build.Outcome;
import dev.baton.protocol.Holder;
import dev.baton.protocol.RunId;
import dev.baton.protocol.RunRequest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A run that was admitted and not yet discharged, as the ledger knows it. */
public final class LiveRun {
    final RunId id;
    final String name;
    final RunRequest request;
    final long dispatch;
    final long token;
    final Callables.Entry callable;
    final List<Use> uses;
    final boolean joinable;

    /** Number of this admission, counted from 1: what the lane has heard of is told by its count. */
    long admission;

    /** The slot that it holds, or -1. */
    int slot = -1;

    /** The lease that it runs under, or null. */
    final boolean leased;

    /** Whether a preparation of it ever began. */
    boolean begun;

    /** Copies decided before its admission that it conflicts with (L13). */
    final Set<CopyOp> blockers = new LinkedHashSet<>(0);

    /** Reads that wait for it (L12). */
    final List<CopyOp> waitingReads = new ArrayList<>(0);

    /** Set once some fence has captured it (B8). */
    @Nullable
    Outcome outcome;

    /** Why the ledger failed it before its preparation, launch or copy-back, or null: told down a chain as it is (F1). */
    @Nullable
    Cause failedBy;

    /** Whether its unproven end has been marked already, out of turn (F2). */
    boolean marked;

    LiveRun(
            RunId id,
            RunRequest request,
            long dispatch,
            long token,
            Callables.Entry callable,
            List<Use> uses,
            boolean joinable) {
        this.id = id;
        this.name = request.name();
        this.request = request;
        this.dispatch = dispatch;
        this.token = token;
        this.callable = callable;
        this.uses = uses;
        this.joinable = joinable;
        this.leased = request.lease() != null;
    }

    /** Its id. */
    public RunId id() {
        return id;
    }

    /** Its place in the order. */
    public long dispatch() {
        return dispatch;
    }

    Holder holder() {
        return new Holder(Holder.Kind.RUN, id.number(), name);
    }

    boolean names(Allocation allocation, long start, long end) {
        for (int i = 0; i < uses.size(); i++) {
            if (uses.get(i).overlaps(allocation, start, end)) {
                return true;
            }
        }
        return false;
    }

    boolean declares(Allocation allocation, long start, long end) {
        for (int i = 0; i < uses.size(); i++) {
            Use u = uses.get(i);
            if (u.role().writes() && u.overlaps(allocation, start, end)) {
                return true;
            }
        }
        return false;
    }

    boolean declaresIn(Allocation allocation) {
        for (int i = 0; i < uses.size(); i++) {
            if (uses.get(i).allocation() == allocation && uses.get(i).role().writes()) {
                return true;
            }
        }
        return false;
    }
}
