package dev.baton.build;

import dev.baton.protocol.DataType;
import dev.baton.protocol.Elements;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.HostMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The bytes of one argument as the host sees them, counted from the first byte of its span. */
interface Source {
    /**
     * An element's bits in the form of {@link dev.baton.protocol.Scalar#bits}; only elements that may be read now are asked
     * for.
     */
    long bits(long offset, DataType type) throws DriverException;

    /** Memory that the host sees where it is: staging, or a device's own view. */
    final class InPlace implements Source {
        private final HostMemory memory;
        private final ByteBuffer[] segments;

        InPlace(HostMemory memory) {
            this.memory = memory;
            this.segments = new ByteBuffer[memory.segments()];
            for (int k = 0; k < segments.length; k++) {
                segments[k] = memory.from((long) k * HostMemory.SEGMENT_BYTES);
            }
        }

        @Override
        public long bits(long offset, DataType type) {
            if (segments.length == 1) {
                return Elements.bitsAt(segments[0], (int) offset, type);
            }
            ByteBuffer segment = segments[(int) (offset / HostMemory.SEGMENT_BYTES)];
            int at = (int) (offset % HostMemory.SEGMENT_BYTES);
            return at + type.bytes() <= segment.limit()
                    ? Elements.bitsAt(segment, at, type)
                    : Elements.bitsAt(gathered(offset, type), 0, type);
        }

        /** An element that lies across two segments. */
        private ByteBuffer gathered(long offset, DataType type) {
            ByteBuffer one = ByteBuffer.allocate(type.bytes()).order(ByteOrder.LITTLE_ENDIAN);
            memory.get(offset, one);
            return one;
        }
    }
}
