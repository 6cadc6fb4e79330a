package dev.baton.jna;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import dev.baton.protocol.driver.DriverException;
import java.util.ArrayList;
import java.util.List;

/** Opens native libraries by the first of several names that loads, and their symbols, each with an error that names it. */
public final class NativeLibraries {
    private NativeLibraries() {}

    /**
     * Opens the first library that loads (R42: often only a versioned name is installed).
     *
     * @param names tried in order: a path, a file name such as {@code libOpenCL.so.1}, or a plain name such as {@code OpenCL}
     * @throws DriverException naming all that was tried and why each did not load
     */
    public static NativeLibrary open(List<String> names) throws DriverException {
        List<String> tried = new ArrayList<>();
        for (String name : names) {
            try {
                return NativeLibrary.getInstance(name);
            } catch (UnsatisfiedLinkError e) {
                tried.add(name + " (" + firstLine(e) + ")");
            }
        }
        throw new DriverException("no native library loads; tried " + String.join(", ", tried));
    }

    /**
     * A mandatory symbol of a library (R43: a missing one fails this device alone).
     *
     * @throws DriverException naming file and symbol
     */
    public static Function symbol(NativeLibrary library, String symbol) throws DriverException {
        try {
            return library.getFunction(symbol);
        } catch (UnsatisfiedLinkError e) {
            throw new DriverException(
                    "library " + library.getFile() + " lacks the mandatory symbol " + symbol
                            + "; is it older than needed?",
                    e);
        }
    }

    private static String firstLine(UnsatisfiedLinkError e) {
        String message = e.getMessage();
        return message == null ? "no reason given" : message.lines().findFirst().orElse("no reason given");
    }
}
