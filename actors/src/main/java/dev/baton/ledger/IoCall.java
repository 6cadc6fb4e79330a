package dev.baton.ledger;

import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.driver.HostMemory;
import org.jspecify.annotations.Nullable;

/** One memory call for the device's I/O thread; they keep one order (L13). */
public sealed interface IoCall {
    /** What is shown to people and drivers: the client's own name for the buffer or the copy. */
    String label();

    record Allocate(String label, long bytes) implements IoCall {}

    record Free(String label, long address) implements IoCall {}

    /** Host to device, or into a host buffer if {@code host} is given. */
    record Write(String label, long address, @Nullable HostMemory host, long offset, HostBytes data)
            implements IoCall {}

    /** Device to host, or out of a host buffer if {@code host} is given. */
    record Read(String label, long address, @Nullable HostMemory host, long offset, int bytes) implements IoCall {}

    /** Between device or host buffers. Addresses are of the first byte; offsets count in host buffers. */
    record Copy(
            String label,
            long from,
            @Nullable HostMemory fromHost,
            long fromOffset,
            long to,
            @Nullable HostMemory toHost,
            long toOffset,
            long bytes)
            implements IoCall {}

    record Fill(
            String label,
            long address,
            @Nullable HostMemory host,
            long offset,
            long pattern,
            int patternBytes,
            long count)
            implements IoCall {}

    record Register(String label, CallableSpec callable) implements IoCall {}

    record Unregister(String label) implements IoCall {}

    /** What came of a call. */
    sealed interface Result {}

    /** Done; the address of an allocation, else zero. */
    record Done(long address) implements Result {
        public static final Done INSTANCE = new Done(0);
    }

    record ReadDone(HostBytes bytes) implements Result {}

    record OutOfMemory(String message) implements Result {}

    record Failed(String message) implements Result {}
}
