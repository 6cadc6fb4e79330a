package dev.baton.ledger;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.Holder;
import dev.baton.protocol.Refusal;
import dev.baton.protocol.RefusalCode;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What refusals say to a person: what was asked, what stood in the way, what to do next. */
final class Refusals {
    private Refusals() {}

    static Refusal of(RefusalCode code, String message) {
        return Refusal.of(code, message);
    }

    static Refusal by(RefusalCode code, List<Holder> by, String message) {
        return new Refusal(code, by, message);
    }

    static String handle(RefusalCode code, BufferHandle handle, @Nullable Allocation entry) {
        String what = entry == null ? "buffer " + handle : entry.describe();
        return switch (code) {
            case STALE_BUFFER ->
                what + " belongs to an earlier epoch of the device; a reset gave its memory back. Allocate anew.";
            case UNKNOWN_BUFFER ->
                what + " is not allocated on this device: it was never allocated here or is freed already.";
            case QUARANTINED ->
                what + " is quarantined: the platform failed to free it. A reset of the device gives it back.";
            case RELEASE_PENDING -> what + " is being freed; do not name it any more.";
            default -> what + " can't be named: " + code;
        };
    }

    static String outside(Allocation a, long start, long length, boolean valid) {
        return valid
                ? "bytes [" + start + ", " + start + " + " + length + ") leave " + a.describe()
                        + "; name a range inside it"
                : "the tensor's shape, strides and offset overflow or are negative in " + a.describe();
    }

    static Refusal inUse(String asked, List<Holder> holders) {
        return by(
                RefusalCode.IN_USE,
                holders,
                asked + ": in use by " + names(holders) + ". Wait for their answers, or ask for it when idle.");
    }

    static Refusal unproven(String asked, Cause mark) {
        return by(
                RefusalCode.UNPROVEN,
                List.of(mark.by()),
                asked + ": " + mark.by() + " may still reach it (" + mark.why()
                        + "). Only a reset of the device gives the memory back.");
    }

    static Refusal unreadable(String asked, Cause mark) {
        return by(
                RefusalCode.UNREADABLE,
                List.of(mark.by()),
                asked + ": " + mark.by() + " ended unproven and may still write these bytes (" + mark.why()
                        + "). Reset the device.");
    }

    static Refusal notProduced(String asked, Holder by) {
        return by(
                RefusalCode.NOT_PRODUCED_YET,
                List.of(by),
                asked + ": " + by + " has not produced these bytes yet. Wait for its answer, or read when produced.");
    }

    static Refusal predecessor(String asked, Cause cause) {
        return by(
                RefusalCode.PREDECESSOR_FAILED,
                List.of(cause.by()),
                asked + ": " + cause.by() + " should have written these bytes and failed (" + cause.why()
                        + "). Write them anew or run their producer again.");
    }

    static String names(List<Holder> holders) {
        return holders.stream().map(Holder::toString).collect(Collectors.joining(", "));
    }
}
