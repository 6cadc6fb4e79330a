package dev.baton.context;

import dev.baton.build.BuildArgument;
import dev.baton.ledger.RunWork;
import dev.baton.ledger.RunWork.WorkArgument;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.HostTensor;
import dev.baton.protocol.Role;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.PlannedArgument;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The host side of one attempt's arguments: memory off the heap that belongs to the run until it retires (B1, R7).
 */
final class Staging {
    private final RunWork work;
    private final List<PlannedArgument> planned = new ArrayList<>();
    private final List<BuildArgument> build = new ArrayList<>();
    /** One for each argument; null where there is nothing staged. */
    private final List<@Nullable HostMemory> memory = new ArrayList<>();

    private Staging(RunWork work) {
        this.work = work;
    }

    static Staging of(RunWork work) {
        Staging s = new Staging(work);
        for (WorkArgument a : work.arguments()) {
            s.add(a);
        }
        return s;
    }

    List<PlannedArgument> planned() {
        return planned;
    }

    List<BuildArgument> buildArguments() {
        return build;
    }

    private void add(WorkArgument a) {
        if (a instanceof WorkArgument.OnDevice d) {
            planned.add(new PlannedArgument.OnDevice(
                    d.role(), d.type(), d.address(), d.shape(), d.strides(), d.spanAddress(), d.spanBytes()));
            build.add(new BuildArgument.OnDevice(
                    d.role(),
                    d.type(),
                    d.shape(),
                    d.strides(),
                    d.allocation(),
                    d.firstByte(),
                    d.address(),
                    d.spanAddress(),
                    d.spanBytes()));
            memory.add(null);
        } else if (a instanceof WorkArgument.Value v) {
            planned.add(new PlannedArgument.Value(v.scalar()));
            build.add(new BuildArgument.Value(v.scalar()));
            memory.add(null);
        } else if (a instanceof WorkArgument.HostBuffer h) {
            HostMemory m = HostMemory.allocate(HostTensor.sizeOf(h.type(), h.shape()));
            if (h.role().reads()) {
                Strided.gather(h, m);
            }
            stage(h.role(), h.type(), h.shape(), h.strides(), h.allocation(), h.firstByte(), m, h.memory());
        } else if (a instanceof WorkArgument.HostIn in) {
            HostTensor t = in.tensor();
            HostMemory m = HostMemory.allocate(t.bytes().size());
            m.put(0, t.bytes().view());
            stage(in.role(), t.type(), t.shape(), List.of(), -1, 0, m, null);
        } else {
            WorkArgument.HostOut out = (WorkArgument.HostOut) a;
            HostMemory m = HostMemory.allocate(HostTensor.sizeOf(out.type(), out.shape()));
            stage(Role.OUT, out.type(), out.shape(), List.of(), -1, 0, m, null);
        }
    }

    private void stage(
            Role role,
            dev.baton.protocol.DataType type,
            List<Long> shape,
            List<Long> strides,
            long allocation,
            long firstByte,
            HostMemory m,
            @Nullable HostMemory buffer) {
        planned.add(new PlannedArgument.Staged(role, type, shape, m));
        build.add(new BuildArgument.Staged(role, type, shape, strides, allocation, firstByte, m, buffer));
        memory.add(m);
    }

    /** Host tensors that go with the answer of a completed run, in order. */
    List<HostTensor> outputs() {
        List<HostTensor> out = new ArrayList<>(0);
        for (int i = 0; i < work.arguments().size(); i++) {
            WorkArgument a = work.arguments().get(i);
            HostMemory m = memory.get(i);
            if (m == null) {
                continue;
            }
            if (a instanceof WorkArgument.HostOut o) {
                out.add(new HostTensor(o.type(), o.shape(), capture(m)));
            } else if (a instanceof WorkArgument.HostIn in && in.role().writes()) {
                out.add(new HostTensor(in.tensor().type(), in.tensor().shape(), capture(m)));
            }
        }
        return out;
    }

    private static HostBytes capture(HostMemory m) {
        ByteBuffer to = HostBytes.blank((int) m.size());
        m.get(0, to);
        to.flip();
        return HostBytes.takeOver(to);
    }

    /** Writes a completed run's results into the callers' host buffers (B1). */
    void copyBack(Device device) throws DriverException {
        for (int i = 0; i < work.arguments().size(); i++) {
            HostMemory m = memory.get(i);
            if (m != null
                    && work.arguments().get(i) instanceof WorkArgument.HostBuffer h
                    && h.role().writes()) {
                Strided.scatter(m, h, device, work.name());
            }
        }
    }
}
