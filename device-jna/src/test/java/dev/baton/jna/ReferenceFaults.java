package dev.baton.jna;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import dev.baton.protocol.driver.Device;
import dev.baton.testkit.conformance.DriverFaults;
import java.util.Locale;

/** The suite's hand on the reference runtime: the functions that it exports for tests. */
final class ReferenceFaults implements DriverFaults {
    private final NativeLibrary library;

    ReferenceFaults(String path) {
        library = NativeLibrary.getInstance(path);
    }

    private Function function(String name) {
        return library.getFunction("baton_reference_" + name);
    }

    private static Pointer of(Device device) {
        return ((NativeDevice) device).calls.device;
    }

    private void wish(Device device, String run, String what) {
        function("wish").invokeVoid(new Object[] {of(device), run, what});
    }

    @Override
    public boolean holds() {
        return true;
    }

    @Override
    public void hold(Device device, String run) {
        wish(device, run, "hold");
    }

    @Override
    public void go(Device device, String run) {
        function("go").invokeVoid(new Object[] {of(device), run});
    }

    @Override
    public boolean supports(FailPoint point) {
        return true;
    }

    @Override
    public void fail(Device device, String run, FailPoint point) {
        wish(device, run, point.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public boolean supports(MemoryCall call) {
        return true;
    }

    @Override
    public void failNext(Device device, MemoryCall call) {
        wish(device, "", call.name().toLowerCase(Locale.ROOT));
    }
}
