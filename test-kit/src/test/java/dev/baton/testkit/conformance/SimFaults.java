package dev.baton.testkit.conformance;

import dev.baton.protocol.driver.Device;
import dev.baton.sim.CallKind;
import dev.baton.sim.Fault;
import dev.baton.sim.Point;
import dev.baton.sim.SimControl;
import java.util.function.Function;

/** The suite's hand on a simulated device. */
final class SimFaults implements DriverFaults {
    private final Function<Device, SimControl> control;

    SimFaults(Function<Device, SimControl> control) {
        this.control = control;
    }

    @Override
    public boolean holds() {
        return true;
    }

    @Override
    public void hold(Device device, String run) {
        control.apply(device).hold(run, Point.EXECUTE);
    }

    @Override
    public void go(Device device, String run) {
        control.apply(device).go(run, Point.EXECUTE);
    }

    @Override
    public boolean supports(FailPoint point) {
        return true;
    }

    @Override
    public void fail(Device device, String run, FailPoint point) {
        switch (point) {
            case PREPARE -> control.apply(device).fail(run, Point.PREPARE, Fault.ERROR);
            case INCOMPATIBLE -> control.apply(device).fail(run, Point.PREPARE, Fault.INCOMPATIBLE);
            case ABORT -> control.apply(device).fail(run, Point.CLEANUP, Fault.ERROR);
            case LAUNCH -> control.apply(device).fail(run, Point.LAUNCH, Fault.ERROR);
            case EXECUTE -> control.apply(device).fail(run, Point.EXECUTE, Fault.ERROR);
            case ASK -> control.apply(device).fail(run, Point.POLL, Fault.ERROR);
            case FINALIZE -> control.apply(device).fail(run, Point.FINALIZE, Fault.ERROR);
        }
    }

    @Override
    public boolean supports(MemoryCall call) {
        return true;
    }

    @Override
    public void failNext(Device device, MemoryCall call) {
        control.apply(device)
                .faultNext(
                        switch (call) {
                            case ALLOCATE -> CallKind.ALLOC;
                            case FREE -> CallKind.FREE;
                            case READ -> CallKind.READ;
                            case WRITE -> CallKind.WRITE;
                        },
                        1);
    }
}
