package dev.baton.testkit.runtime;

/** Something that waits for a point of virtual time. Order: time, then age. */
abstract class Due implements Comparable<Due> {
    final long atNanos;
    final long seq;

    Due(long atNanos, long seq) {
        this.atNanos = atNanos;
        this.seq = seq;
    }

    /** The time has come; on the thread that has the turn. */
    abstract void fire();

    @Override
    public final int compareTo(Due other) {
        return atNanos != other.atNanos ? Long.compare(atNanos, other.atNanos) : Long.compare(seq, other.seq);
    }
}
