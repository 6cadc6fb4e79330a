package dev.baton.build;

import static dev.baton.build.FakeDevice.BASE;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.Elements;
import dev.baton.protocol.Health;
import dev.baton.protocol.Holder;
import dev.baton.protocol.LaneState;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Role;
import dev.baton.protocol.Scalar;
import dev.baton.protocol.build.Access;
import dev.baton.protocol.build.HostBuild;
import dev.baton.protocol.driver.HostMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** What tests of a session need: a device, arguments on it, services that answer what they are told to. */
final class Bench implements BuildServices {
    /** Id of the allocation that starts at the device's first byte. */
    static final long ALLOCATION = 7;

    final FakeDevice device;
    final SpinRuntime runtime = new SpinRuntime();
    final List<BuildArgument> arguments = new ArrayList<>();
    final List<String> asked = new CopyOnWriteArrayList<>();

    @SuppressWarnings("NullAway") // commands are only looked at; a test that needs an address gives one
    ActorRef<Object> nobody = null;

    Fence fence = Fence.EMPTY;
    Supplier<Reply.AllocateReply> onAllocate = () -> new Reply.Allocated(handle(asked.size()), 0, 1);

    @Nullable
    Supplier<Reply.FreeReply> onFree;

    Bench(long bytes) {
        device = new FakeDevice(bytes);
    }

    static Holder run(String name) {
        return new Holder(Holder.Kind.RUN, name.charAt(0), name);
    }

    static BufferHandle handle(long id) {
        return new BufferHandle("d", 1, id);
    }

    static Access value(float v) {
        return new Access.Value(Float.floatToRawIntBits(v) & 0xFFFF_FFFFL);
    }

    static long bits(float v) {
        return Elements.fromDouble(DataType.F32, v);
    }

    /** Puts f32 values into the device's memory from an element on. */
    Bench floats(int at, float... values) {
        for (int i = 0; i < values.length; i++) {
            device.memory.single().putFloat(4 * (at + i), values[i]);
        }
        return this;
    }

    /** A row-major f32 vector in the allocation. */
    Bench f32(Role role, long firstByte, long count) {
        return on(role, DataType.F32, firstByte, List.of(count), List.of(), firstByte, 4 * count);
    }

    Bench on(
            Role role,
            DataType type,
            long firstByte,
            List<Long> shape,
            List<Long> strides,
            long spanStart,
            long spanBytes) {
        arguments.add(new BuildArgument.OnDevice(
                role, type, shape, strides, ALLOCATION, firstByte, BASE + firstByte, BASE + spanStart, spanBytes));
        return this;
    }

    /** Memory from elsewhere, at a byte of the device's memory. */
    Bench foreign(Role role, long at, long count) {
        arguments.add(new BuildArgument.OnDevice(
                role, DataType.F32, List.of(count), List.of(), -1, 0, BASE + at, BASE + at, 4 * count));
        return this;
    }

    Bench staged(Role role, long allocation, long firstByte, HostMemory staging) {
        arguments.add(new BuildArgument.Staged(
                role, DataType.F32, List.of(staging.size() / 4), allocation, firstByte, staging));
        return this;
    }

    Bench scalar(float value) {
        arguments.add(new BuildArgument.Value(Scalar.f32(value)));
        return this;
    }

    Bench fence(Fence.Builder builder) {
        fence = builder.build();
        return this;
    }

    /** An earlier run that declares bytes of the allocation. */
    static Fence.Builder declared(String run, long dispatch, long start, long end, Outcome outcome) {
        return Fence.builder().entry(run(run), dispatch, ALLOCATION, start, end, true, true, outcome);
    }

    BuildSession session() {
        return new BuildSession(2, "B", "own", arguments, fence, device, device, runtime, this);
    }

    BuildSession build(HostBuild build) {
        BuildSession s = session();
        s.run(build);
        return s;
    }

    static HostMemory memory(float... values) {
        HostMemory m = HostMemory.allocate(4L * values.length);
        for (int i = 0; i < values.length; i++) {
            m.single().putFloat(4 * i, values[i]);
        }
        return m;
    }

    static float[] floats(HostMemory m) {
        float[] values = new float[(int) (m.size() / 4)];
        for (int i = 0; i < values.length; i++) {
            values[i] = m.single().getFloat(4 * i);
        }
        return values;
    }

    @Override
    public Reply.AllocateReply allocate(@Nullable ActorRef<DeviceCommand> device, String name, long bytes) {
        asked.add("allocate " + name + (device == null ? "" : " elsewhere"));
        return onAllocate.get();
    }

    @Override
    public Reply.FreeReply free(@Nullable ActorRef<DeviceCommand> device, BufferHandle buffer, long offset) {
        asked.add("free " + buffer.id() + (device == null ? "" : " elsewhere"));
        return onFree == null ? new Reply.Released(buffer) : onFree.get();
    }

    @Override
    public ActorRef<Object> nobody() {
        return nobody;
    }

    @Override
    public DeviceStatus status(@Nullable ActorRef<DeviceCommand> device) {
        asked.add("status" + (device == null ? "" : " elsewhere"));
        return new DeviceStatus(
                "d", 1, LaneState.OPEN, Health.OPEN, true, 0, 0, 0, 0, 0, 0, 0, 0, null, List.of(), List.of());
    }
}
