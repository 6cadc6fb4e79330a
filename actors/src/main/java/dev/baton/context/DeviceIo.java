package dev.baton.context;

import dev.baton.ledger.IoCall;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.driver.CallAborted;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import dev.baton.protocol.driver.OutOfDeviceMemoryException;
import java.nio.ByteBuffer;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * The one thread of a device's memory calls: they keep one order (L13). May block; never a child of context, ledger or lane.
 */
public final class DeviceIo {
    private final Device device;
    private boolean attached;

    private final BounceBuffer bounce = new BounceBuffer();

    private DeviceIo(Device device) {
        this.device = device;
        this.attached = !device.capabilities().threadAttach();
    }

    public static Behavior<IoMessage> create(Device device) {
        return Behaviors.setup(ctx -> {
            DeviceIo io = new DeviceIo(device);
            return Behaviors.receiveMessage(m -> {
                m.replyTo().tell(new ContextMessage.IoDone(m.call(), io.perform(m.what())));
                return Behaviors.same();
            });
        });
    }

    @SuppressWarnings("PMD.AvoidCatchingThrowable") // a driver that throws an Error is a driver that failed, not we
    private IoCall.Result perform(IoCall call) {
        try {
            if (!attached) {
                device.attachThread();
                attached = true;
            }
            return call(call);
        } catch (CallAborted dying) {
            throw dying;
        } catch (OutOfDeviceMemoryException full) {
            bounce.leave();
            return new IoCall.OutOfMemory(Causes.text(full));
        } catch (Exception | LinkageError | AssertionError | StackOverflowError | OutOfMemoryError failure) {
            bounce.leave();
            return new IoCall.Failed(Causes.text(failure));
        }
    }

    private IoCall.Result call(IoCall call) throws DriverException {
        if (call instanceof IoCall.Write w) {
            write(w);
        } else if (call instanceof IoCall.Read r) {
            return read(r);
        } else if (call instanceof IoCall.Allocate a) {
            return new IoCall.Done(device.allocate(a.label(), a.bytes()));
        } else if (call instanceof IoCall.Free f) {
            device.free(f.label(), f.address());
        } else if (call instanceof IoCall.Copy c) {
            copy(c);
        } else if (call instanceof IoCall.Fill f) {
            fill(f);
        } else if (call instanceof IoCall.Register r) {
            device.register(r.callable());
        } else if (call instanceof IoCall.Unregister u) {
            device.unregister(u.label());
        }
        return IoCall.Done.INSTANCE;
    }

    private void write(IoCall.Write w) throws DriverException {
        int bytes = w.data().size();
        if (bytes == 0) {
            return;
        }
        HostMemory from = offHeap(w.data());
        HostMemory host = w.host();
        if (host != null) {
            device.copyHost(w.label(), from, 0, host, w.offset(), bytes);
        } else {
            device.write(w.label(), w.address(), from, 0, bytes);
        }
    }

    private HostMemory offHeap(HostBytes data) {
        ByteBuffer view = data.view();
        if (view.isDirect()) {
            return HostMemory.of(view);
        }
        HostMemory staging = view.remaining() <= BounceBuffer.MOST_BYTES
                ? bounce.of(view.remaining())
                : HostMemory.allocate(view.remaining());
        staging.put(0, view);
        return staging;
    }

    private IoCall.Result read(IoCall.Read r) throws DriverException {
        if (r.bytes() == 0) {
            return new IoCall.ReadDone(HostBytes.EMPTY);
        }
        if (r.bytes() <= BounceBuffer.MOST_BYTES) {
            HostMemory memory = bounce.of(r.bytes());
            readInto(r, memory);
            ByteBuffer to = ByteBuffer.allocate(r.bytes());
            memory.get(0, to);
            return new IoCall.ReadDone(HostBytes.takeOver(to.flip()));
        }
        ByteBuffer to = ByteBuffer.allocateDirect(r.bytes());
        readInto(r, HostMemory.of(to));
        return new IoCall.ReadDone(HostBytes.takeOver(to));
    }

    private void readInto(IoCall.Read r, HostMemory memory) throws DriverException {
        HostMemory host = r.host();
        if (host != null) {
            device.copyHost(r.label(), host, r.offset(), memory, 0, r.bytes());
        } else {
            device.read(r.label(), r.address(), memory, 0, r.bytes());
        }
    }

    private void copy(IoCall.Copy c) throws DriverException {
        if (c.bytes() == 0) {
            return;
        }
        HostMemory from = c.fromHost();
        HostMemory to = c.toHost();
        if (from == null && to == null) {
            device.copy(c.label(), c.from(), c.to(), c.bytes());
        } else if (from == null && to != null) {
            device.read(c.label(), c.from(), to, c.toOffset(), c.bytes());
        } else if (from != null && to == null) {
            device.write(c.label(), c.to(), from, c.fromOffset(), c.bytes());
        } else if (from != null && to != null) {
            device.copyHost(c.label(), from, c.fromOffset(), to, c.toOffset(), c.bytes());
        }
    }

    private void fill(IoCall.Fill f) throws DriverException {
        if (f.count() == 0) {
            return;
        }
        HostMemory host = f.host();
        if (host == null) {
            device.fill(f.label(), f.address(), f.pattern(), f.patternBytes(), f.count());
            return;
        }
        HostMemory pattern = HostMemory.allocate(f.count() * f.patternBytes());
        ByteBuffer one =
                ByteBuffer.allocate(8).order(java.nio.ByteOrder.LITTLE_ENDIAN).putLong(f.pattern());
        one.flip().limit(f.patternBytes());
        for (long i = 0; i < f.count(); i++) {
            pattern.put(i * f.patternBytes(), one);
        }
        device.copyHost(f.label(), pattern, 0, host, f.offset(), pattern.size());
    }
}
