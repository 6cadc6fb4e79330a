package dev.baton.jna;

import com.sun.jna.CallbackThreadInitializer;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import dev.baton.protocol.driver.Capabilities;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.IncompatibleException;
import dev.baton.protocol.driver.OutOfDeviceMemoryException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One device of one library: its life from open to close, and what a status means. */
final class NativeCalls {
    private static final int CAPABILITIES_BYTES = 128;
    private static final int NAME_AT = 32;
    private static final int VERSION_AT = 96;
    private static final int CAN_PREPARE_EARLY = 1;
    private static final int CAN_LAUNCH_JOINED = 1 << 1;
    private static final int CAN_HOST_BUILD = 1 << 2;
    private static final int NEEDS_THREAD_ATTACH = 1 << 3;
    private static final int NON_BLOCKING = 1 << 4;
    private static final int CANCELS_BEHIND_FAILURE = 1 << 5;
    private static final int CAN_PROVE_RESET = 1 << 6;

    final BatonAbi abi;
    final Pointer device;
    final Capabilities capabilities;
    final boolean hasView;
    final boolean hasCompletion;
    private final boolean hasMemoryInfo;
    private final String file;
    private BatonAbi.@Nullable Completion completion;

    private NativeCalls(NativeLibrary library, BatonAbi abi, Pointer device) throws DriverException {
        this.file = library.getFile().getPath();
        this.abi = abi;
        this.device = device;
        this.capabilities = ask();
        this.hasView = has(library, "baton_host_view");
        this.hasCompletion = has(library, "baton_set_completion");
        this.hasMemoryInfo = has(library, "baton_memory_info");
        List<String> wrong = new ArrayList<>(capabilities.errors());
        needs(
                wrong,
                capabilities.threadAttach(),
                has(library, "baton_attach_thread"),
                "threadAttach",
                "baton_attach_thread");
        needs(wrong, capabilities.nonBlocking(), hasCompletion, "nonBlocking", "baton_set_completion");
        if (!wrong.isEmpty()) {
            throw new DriverException(
                    "library " + file + " declares capabilities that can't be: " + String.join("; ", wrong));
        }
    }

    /**
     * Loads the library and opens a device.
     *
     * @throws DriverException naming the file, and the symbol or the capability that is wrong
     */
    static NativeCalls open(String path, String options) throws DriverException {
        NativeLibrary library = NativeLibraries.open(List.of(path));
        for (String symbol : BatonAbi.MANDATORY) {
            NativeLibraries.symbol(library, symbol);
        }
        BatonAbi abi = Native.load(
                path, BatonAbi.class, Map.of("string-encoding", StandardCharsets.UTF_8.name())); // as the header says
        int version = abi.baton_abi_version();
        if (version != BatonAbi.VERSION) {
            throw new DriverException(
                    "library " + library.getFile() + " speaks version " + version + " of baton_device.h; version "
                            + BatonAbi.VERSION + " is needed: build it with the header of this release");
        }
        PointerByReference device = new PointerByReference();
        if (abi.baton_open(options, device) != BatonAbi.OK) {
            throw new DriverException("library " + library.getFile() + " opens no device: " + abi.baton_last_error());
        }
        try {
            return new NativeCalls(library, abi, device.getValue());
        } catch (DriverException e) {
            abi.baton_close(device.getValue());
            throw e;
        }
    }

    private static boolean has(NativeLibrary library, String symbol) {
        try {
            NativeLibraries.symbol(library, symbol);
            return true;
        } catch (DriverException e) {
            return false; // an optional one
        }
    }

    private static void needs(List<String> wrong, boolean declared, boolean there, String capability, String symbol) {
        if (declared && !there) {
            wrong.add(capability + ": needs the function " + symbol + ", which the library does not export");
        }
    }

    private Capabilities ask() throws DriverException {
        try (Memory c = new Memory(CAPABILITIES_BYTES)) {
            c.clear();
            c.setInt(0, CAPABILITIES_BYTES);
            check(abi.baton_get_capabilities(device, c));
            int flags = c.getInt(4);
            return new Capabilities(
                    c.getString(NAME_AT, StandardCharsets.UTF_8.name()),
                    c.getString(VERSION_AT, StandardCharsets.UTF_8.name()),
                    c.getInt(8),
                    (flags & CAN_PREPARE_EARLY) != 0,
                    (flags & CAN_LAUNCH_JOINED) != 0,
                    (flags & CAN_HOST_BUILD) != 0,
                    (flags & NEEDS_THREAD_ATTACH) != 0,
                    (flags & NON_BLOCKING) != 0,
                    c.getLong(16),
                    c.getLong(24),
                    (flags & CANCELS_BEHIND_FAILURE) != 0,
                    (flags & CAN_PROVE_RESET) != 0);
        }
    }

    /** Says who hears that runs end; held as long as the device is. */
    void completion(BatonAbi.Completion heard) throws DriverException {
        if (hasCompletion) {
            completion = heard;
            // a thread of the library stays attached until it ends, as a daemon: it never keeps the JVM alive
            Native.setCallbackThreadInitializer(
                    heard, new CallbackThreadInitializer(true, false, "baton-native-" + capabilities.driver()));
            check(abi.baton_set_completion(device, heard, Pointer.NULL));
        }
    }

    /** Whether somebody hears that runs end. */
    boolean hears() {
        return completion != null;
    }

    /** Whether the library tells how much memory is free. */
    boolean hasMemoryInfo() {
        return hasMemoryInfo;
    }

    /**
     * Turns a status into its exception.
     *
     * @throws DriverException if it is not OK, with the library's own sentence
     */
    void check(int status) throws DriverException {
        if (status == BatonAbi.OK) {
            return;
        }
        String why = sentence();
        switch (status) {
            case BatonAbi.OUT_OF_MEMORY -> throw new OutOfDeviceMemoryException(why);
            case BatonAbi.INCOMPATIBLE -> throw new IncompatibleException(why);
            default -> throw new DriverException(why);
        }
    }

    /** The library's sentence about the last failure on this thread. */
    String sentence() {
        String why = abi.baton_last_error();
        return why == null || why.isBlank() ? "library " + file + " gives no reason" : why;
    }
}
