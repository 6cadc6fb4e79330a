package dev.baton.protocol;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a client asks for with a submit.
 *
 * @param callable name of a registered callable
 * @param name the client's own name for the run, shown to people
 * @param arguments one for each parameter of the signature
 * @param dispatch the dispatch id, at least zero, or null for the highest seen plus one (N1)
 * @param held not launched before it is activated (N7)
 * @param exclusive diagnostics on: nothing is prepared or launched beside it (N3)
 * @param lease a leased slot to run in (N8)
 * @param queueDeadline longest time from admission to launch (N11)
 * @param executionDeadline longest time on the device (N11)
 */
public record RunRequest(
        String callable,
        String name,
        List<Argument> arguments,
        @Nullable Long dispatch,
        boolean held,
        boolean exclusive,
        @Nullable Lease lease,
        @Nullable Duration queueDeadline,
        @Nullable Duration executionDeadline) {
    public RunRequest {
        Objects.requireNonNull(callable, "callable");
        Objects.requireNonNull(name, "name");
        arguments = List.copyOf(arguments);
        requirePositive(queueDeadline, "queueDeadline");
        requirePositive(executionDeadline, "executionDeadline");
        if (dispatch != null && dispatch < 0) {
            throw new IllegalArgumentException("dispatch=" + dispatch + " is negative");
        }
    }

    private static void requirePositive(@Nullable Duration d, String what) {
        if (d != null && (d.isNegative() || d.isZero())) {
            throw new IllegalArgumentException(what + "=" + d + " must be positive");
        }
    }

    /** Begins a request for a callable. */
    public static Builder of(String callable) {
        return new Builder(callable);
    }

    /** Collects a request; every method returns the builder itself. */
    public static final class Builder {
        private final String callable;
        private String name;
        private final List<Argument> arguments = new ArrayList<>();
        private @Nullable Long dispatch;
        private boolean held;
        private boolean exclusive;
        private @Nullable Lease lease;
        private @Nullable Duration queueDeadline;
        private @Nullable Duration executionDeadline;

        private Builder(String callable) {
            this.callable = callable;
            this.name = callable;
        }

        public Builder named(String runName) {
            this.name = runName;
            return this;
        }

        /** Adds a tensor argument; the signature tells its role. */
        public Builder tensor(Tensor tensor) {
            return argument(new Argument.OnDevice(tensor));
        }

        /** Adds a host tensor for IN or INOUT. */
        public Builder fromHost(HostTensor tensor) {
            return argument(new Argument.FromHost(tensor));
        }

        /** Adds room for a host tensor for OUT. */
        public Builder toHost(DataType type, long... shape) {
            List<Long> dims = new ArrayList<>();
            for (long d : shape) {
                dims.add(d);
            }
            return argument(new Argument.ToHost(type, dims));
        }

        public Builder scalar(float value) {
            return argument(new Argument.Value(Scalar.f32(value)));
        }

        public Builder argument(Argument argument) {
            arguments.add(argument);
            return this;
        }

        public Builder dispatch(long id) {
            this.dispatch = id;
            return this;
        }

        public Builder held() {
            this.held = true;
            return this;
        }

        public Builder exclusive() {
            this.exclusive = true;
            return this;
        }

        public Builder lease(Lease slotLease) {
            this.lease = slotLease;
            return this;
        }

        public Builder queueDeadline(Duration limit) {
            this.queueDeadline = limit;
            return this;
        }

        public Builder executionDeadline(Duration limit) {
            this.executionDeadline = limit;
            return this;
        }

        public RunRequest build() {
            return new RunRequest(
                    callable, name, arguments, dispatch, held, exclusive, lease, queueDeadline, executionDeadline);
        }
    }
}
