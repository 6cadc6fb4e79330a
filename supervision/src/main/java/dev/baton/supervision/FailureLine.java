package dev.baton.supervision;

import dev.baton.protocol.Argument;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A run's failure as one line for a person: run, callable, buffers, first cause and the way out (section 8). */
public final class FailureLine {
    private FailureLine() {}

    /**
     * The line.
     *
     * @param device the device's name
     * @param request what was asked for
     * @param names the names of buffers
     */
    public static String of(
            String device, RunRequest request, Function<BufferHandle, String> names, RunFailure failure) {
        List<String> buffers = new ArrayList<>();
        for (Argument a : request.arguments()) {
            if (a instanceof Argument.OnDevice on) {
                Object at = on.tensor().location();
                buffers.add(at instanceof BufferHandle handle ? names.apply(handle) : at.toString());
            }
        }
        return "device=" + device + " run=" + request.name() + " callable=" + request.callable() + " buffers=" + buffers
                + " failed reason=" + failure.reason() + " at=" + failure.operation()
                + (failure.by() == null ? "" : " by=" + failure.by()) + ": " + failure.message() + ". Way out: "
                + wayOut(failure.reason());
    }

    /** What to do next; docs/operations.md says more. */
    public static String wayOut(FailureReason reason) {
        return switch (reason) {
            case BUILD_FAILED -> "fix the callable's build or its input, and submit again";
            case PREPARE_FAILED, LAUNCH_FAILED -> "read the driver's error, and submit again";
            case EXECUTION_FAILED -> "look at the kernel and its input; what it should have written is void";
            case ABANDONED -> "none needed; revalidate to go on with the old content";
            case DEADLINE_EXCEEDED -> "look at what stood ahead; submit again or allow more time";
            case PREDECESSOR_FAILED -> "look for the first cause; write good bytes or revalidate";
            case CLEANUP_FAILED, COMPLETION_UNKNOWN, UNPROVEN, POISONED -> "reset the device";
            case INTERNAL -> "reset the device unless its lane is open; this is a bug to report";
            case RESET -> "allocate anew and submit again";
            case CLOSED -> "open the device anew";
        };
    }
}
