package dev.baton.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Objects;

/** One argument of a run. The signature of the callable says what is done with it. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
@JsonSubTypes({
    @JsonSubTypes.Type(value = Argument.OnDevice.class, name = "tensor"),
    @JsonSubTypes.Type(value = Argument.FromHost.class, name = "fromHost"),
    @JsonSubTypes.Type(value = Argument.ToHost.class, name = "toHost"),
    @JsonSubTypes.Type(value = Argument.Value.class, name = "value")
})
public sealed interface Argument {
    /** A tensor in device memory or in an adopted host buffer, for IN, OUT or INOUT. */
    record OnDevice(Tensor tensor) implements Argument {
        public OnDevice {
            Objects.requireNonNull(tensor, "tensor");
        }
    }

    /** A host tensor of this run alone, for IN or INOUT; an INOUT one comes back with the answer. */
    record FromHost(HostTensor tensor) implements Argument {
        public FromHost {
            Objects.requireNonNull(tensor, "tensor");
        }
    }

    /** Room for a host tensor that comes back with the answer, for OUT. */
    record ToHost(DataType type, List<Long> shape) implements Argument {
        public ToHost {
            Objects.requireNonNull(type, "type");
            shape = List.copyOf(shape);
            HostTensor.sizeOf(type, shape);
        }
    }

    /** A scalar. */
    record Value(Scalar scalar) implements Argument {
        public Value {
            Objects.requireNonNull(scalar, "scalar");
        }
    }
}
