package dev.baton.context;

import dev.baton.ledger.RunWork.WorkArgument;
import dev.baton.protocol.driver.Device;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import java.nio.ByteBuffer;
import java.util.List;

/** Between a strided host buffer and row-major staging. */
final class Strided {
    private Strided() {}

    static void gather(WorkArgument.HostBuffer h, HostMemory staging) {
        if (h.strides().isEmpty()) {
            HostMemory.copy(h.memory(), h.firstByte(), staging, 0, staging.size());
            return;
        }
        int size = h.type().bytes();
        ByteBuffer one = ByteBuffer.allocate(size);
        long[] index = new long[h.shape().size()];
        for (long at = 0; at < staging.size(); at += size) {
            one.clear();
            h.memory().get(h.firstByte() + offset(h.strides(), index) * size, one);
            one.flip();
            staging.put(at, one);
            next(index, h.shape());
        }
    }

    static void scatter(HostMemory staging, WorkArgument.HostBuffer h, Device device, String label)
            throws DriverException {
        if (h.strides().isEmpty()) {
            if (staging.size() > 0) {
                device.copyHost(label, staging, 0, h.memory(), h.firstByte(), staging.size());
            }
            return;
        }
        int size = h.type().bytes();
        ByteBuffer one = ByteBuffer.allocate(size);
        long[] index = new long[h.shape().size()];
        for (long at = 0; at < staging.size(); at += size) {
            one.clear();
            staging.get(at, one);
            one.flip();
            h.memory().put(h.firstByte() + offset(h.strides(), index) * size, one);
            next(index, h.shape());
        }
    }

    private static long offset(List<Long> strides, long[] index) {
        long at = 0;
        for (int d = 0; d < index.length; d++) {
            at += strides.get(d) * index[d];
        }
        return at;
    }

    private static void next(long[] index, List<Long> shape) {
        for (int d = index.length - 1; d >= 0; d--) {
            if (++index[d] < shape.get(d)) {
                return;
            }
            index[d] = 0;
        }
    }
}
