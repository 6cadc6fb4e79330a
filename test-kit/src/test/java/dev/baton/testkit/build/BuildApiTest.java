package dev.baton.testkit.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceCommand.When;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunName;
import dev.baton.protocol.RunPhase;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import dev.baton.protocol.build.Access;
import dev.baton.protocol.build.BuildSignal;
import dev.baton.protocol.build.HostBuild;
import dev.baton.protocol.driver.Task;
import dev.baton.protocol.driver.Task.TaskArgument;
import dev.baton.sim.Point;
import dev.baton.sim.SimSettings;
import dev.baton.testkit.junit.BatonDevice;
import dev.baton.testkit.junit.Gate;
import dev.baton.testkit.junit.Probe;
import dev.baton.testkit.junit.TestDevice;
import dev.baton.testkit.junit.TestRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.TestTemplate;

/** What a build may do, with what a person sees of it. */
@BatonDevice(seeds = 20, threads = 2, depth = 12, settings = BuildApiTest.Kernels.class)
class BuildApiTest {
    /** A kernel that faults. */
    public static final class Kernels extends BatonDevice.Settings {
        @Override
        public SimSettings sim(SimSettings from) {
            return from.kernel("broken", call -> {
                throw new IllegalStateException("broken on purpose");
            });
        }
    }

    private static void build(TestDevice device, HostBuild build, Role... roles) {
        device.register(new CallableSpec("built", "copy", Signature.of(roles)), build)
                .get(Reply.Registered.class);
    }

    private static TestRun copy(TestDevice device, String name, BufferHandle in, BufferHandle out, int count) {
        return device.submit(RunRequest.of("built")
                .named(name)
                .tensor(TestDevice.f32(in, count))
                .tensor(TestDevice.f32(out, count))
                .build());
    }

    private static Probe<DeviceEvent> watch(TestDevice device) {
        Probe<DeviceEvent> events = device.probe("events");
        device.<Reply.SubscribeReply>ask("subscribe", to -> new DeviceCommand.Subscribe(events.ref(), to))
                .get(Reply.Subscribed.class);
        return events;
    }

    private static List<String> details(Probe<DeviceEvent> events, String run, RunPhase phase) {
        List<String> details = new ArrayList<>();
        for (DeviceEvent e : events.all()) {
            if (e instanceof DeviceEvent.Phase p && p.name().equals(run) && p.phase() == phase) {
                details.add(p.detail());
            }
        }
        return details;
    }

    private static void awaitEnd(TestDevice device, Probe<DeviceEvent> events, String run) {
        device.await(
                "the end of " + run,
                () -> !details(events, run, RunPhase.RETIRED).isEmpty());
    }

    // ---- scopes

    @TestTemplate
    void theEventOfAPreparationCountsTasksByScope(TestDevice device) {
        build(
                device,
                c -> c.scope("outer", o -> {
                    o.emitOwn(Map.of());
                    return o.scope("inner", i -> {
                        i.emitOwn(Map.of());
                        return true;
                    });
                }),
                Role.IN,
                Role.OUT);
        Probe<DeviceEvent> events = watch(device);
        copy(device, "b", device.floats("x", 1), device.floats("y", 0), 1).completed();
        awaitEnd(device, events, "b");
        assertThat(details(events, "b", RunPhase.PREPARED)).containsExactly("2 tasks: outer 1, outer/inner 1");
    }

    @TestTemplate
    void failuresNameTheirScope(TestDevice device) {
        build(
                device,
                c -> c.scope("weights", s -> {
                    s.fail("they do not fit");
                    return true;
                }),
                Role.IN,
                Role.OUT);
        RunFailure failure = copy(device, "b", device.floats("x", 1), device.floats("y", 0), 1)
                .failure();
        assertThat(failure.reason()).isEqualTo(FailureReason.BUILD_FAILED);
        assertThat(failure.message()).isEqualTo("in scope weights: they do not fit");
    }

    @TestTemplate
    void aTaskThatFaultsOnTheDeviceNamesItsScope(TestDevice device) {
        build(
                device,
                c -> c.scope("step 2", s -> {
                    s.emit(new Task("broken", List.of(), List.of()));
                    return true;
                }),
                Role.IN,
                Role.OUT);
        RunFailure failure = copy(device, "b", device.floats("x", 1), device.floats("y", 0), 1)
                .failure();
        assertThat(failure.reason()).isEqualTo(FailureReason.EXECUTION_FAILED);
        assertThat(failure.message()).contains("in scope step 2: run b", "broken on purpose");
    }

    // ---- scratch

    @TestTemplate
    void scratchBelongsToTheRunAndIsInNoTable(TestDevice device) {
        List<Long> address = new CopyOnWriteArrayList<>();
        build(
                device,
                c -> {
                    long scratch = c.scratch(8);
                    address.add(scratch);
                    TaskArgument room = new TaskArgument.Scratch(scratch, 8);
                    c.emit(new Task("copy", List.of(new TaskArgument.OfRun(0), room), List.of()));
                    c.emit(new Task("copy", List.of(room, new TaskArgument.OfRun(1)), List.of(2L)));
                },
                Role.IN,
                Role.OUT);
        BufferHandle x = device.floats("x", 1, 2);
        BufferHandle y = device.floats("y", 0, 0);
        Gate gate = device.gate("b", Point.EXECUTE).hold();
        TestRun run = copy(device, "b", x, y, 2);
        gate.awaitHeld();
        assertThat(device.control().scratchBytes()).isEqualTo(8);
        DeviceStatus status = device.status();
        assertThat(status.allocated()).isEqualTo(2);
        assertThat(status.buffers())
                .extracting(DeviceStatus.BufferStatus::address)
                .doesNotContain(address.get(0));
        gate.go();
        run.completed();
        assertThat(device.values(y, 2)).containsExactly(1, 2);
        assertThat(device.control().scratchBytes()).isZero();
    }

    // ---- questions

    @TestTemplate
    void whatMayNeedThisRunToEndIsRefusedInstead(TestDevice device) {
        BufferHandle x = device.floats("x", 1);
        List<Object> answers = new CopyOnWriteArrayList<>();
        build(
                device,
                c -> {
                    ActorRef<DeviceCommand> door = device.door();
                    List<Function<ActorRef<Object>, DeviceCommand>> refused = List.of(
                            to -> new DeviceCommand.Read("r", x, 0, 4, When.NOW, to.narrow()),
                            to -> new DeviceCommand.Write("w", x, 0, HostBytes.ofFloats(1), to.narrow()),
                            to -> new DeviceCommand.Submit(
                                    RunRequest.of("built").build(), to.narrow()),
                            to -> new DeviceCommand.Free(x, 0, When.LATER, to.narrow()),
                            to -> new DeviceCommand.Drain(to.narrow()),
                            to -> new DeviceCommand.Close(to.narrow()),
                            to -> new DeviceCommand.Reset(to.narrow()),
                            to -> new DeviceCommand.Abandon(new RunName("b"), to.narrow()));
                    for (Function<ActorRef<Object>, DeviceCommand> command : refused) {
                        answers.add(c.ask(door, command));
                    }
                    Object made = c.ask(door, to -> new DeviceCommand.Allocate("t", 64, to.narrow()));
                    BufferHandle t = ((Reply.Allocated) made).buffer();
                    DeviceStatus status = (DeviceStatus) c.ask(door, to -> new DeviceCommand.GetStatus(to.narrow()));
                    assertThat(status.allocated()).isEqualTo(3);
                    Object inside = c.ask(door, to -> new DeviceCommand.Free(t, 4, When.NOW, to.narrow()));
                    assertThat(((Reply.Refused) inside).refusal().code()).isEqualTo(RefusalCode.UNKNOWN_BUFFER);
                    assertThat(c.ask(door, to -> new DeviceCommand.Free(t, to.narrow())))
                            .isInstanceOf(Reply.Released.class);
                    c.emitOwn(Map.of());
                },
                Role.IN,
                Role.OUT);
        copy(device, "b", x, device.floats("y", 0), 1).completed();
        assertThat(answers)
                .hasSize(8)
                .allSatisfy(
                        a -> assertThat(((Reply.Refused) a).refusal().code()).isEqualTo(RefusalCode.WOULD_DEADLOCK));
    }

    // ---- waiting

    @TestTemplate
    void aRunThatWaitsTellsForWhatAndIsPreparedOnceMore(TestDevice device) {
        build(
                device,
                c -> c.scope("residual", s -> {
                    try {
                        s.get(0, 0);
                    } catch (BuildSignal swallowed) {
                        assertThat(swallowed.answer()).isInstanceOf(Access.NotProducedYet.class);
                    }
                    s.emitOwn(Map.of());
                    return true;
                }),
                Role.IN,
                Role.OUT);
        BufferHandle x = device.floats("x", 1);
        BufferHandle y = device.floats("y", 0);
        BufferHandle z = device.floats("z", 0);
        Probe<DeviceEvent> events = watch(device);
        Gate gate = device.gate("a", Point.EXECUTE).hold();
        TestRun a = device.addConst("a", x, y, 1, 1);
        TestRun b = copy(device, "b", y, z, 1);
        device.await("b waits", () -> !details(events, "b", RunPhase.DEFERRED).isEmpty());
        String why = "in scope residual, a value of run a (1)";
        assertThat(details(events, "b", RunPhase.DEFERRED)).containsExactly(why);
        assertThat(device.status().runs())
                .filteredOn(r -> r.name().equals("b"))
                .singleElement()
                .satisfies(r -> {
                    assertThat(r.phase()).isEqualTo(RunPhase.DEFERRED);
                    assertThat(r.waitsFor()).isEqualTo(why);
                });
        gate.go();
        a.completed();
        b.completed();
        awaitEnd(device, events, "b");
        assertThat(device.values(z, 1)).containsExactly(2);
        assertThat(details(events, "b", RunPhase.PREPARING)).hasSize(2);
    }

    @TestTemplate
    void aBuildThatNeedsTenValuesOfTenRunsWaitsOnce(TestDevice device) {
        int n = 10;
        List<Integer> attempts = new CopyOnWriteArrayList<>();
        build(
                device,
                c -> {
                    attempts.add(c.attempt());
                    for (int i = 0; i < n; i++) {
                        c.get(i, 0);
                    }
                    c.emit(new Task("copy", List.of(new TaskArgument.OfRun(0), new TaskArgument.OfRun(n)), List.of()));
                },
                Role.IN,
                Role.IN,
                Role.IN,
                Role.IN,
                Role.IN,
                Role.IN,
                Role.IN,
                Role.IN,
                Role.IN,
                Role.IN,
                Role.OUT);
        BufferHandle x = device.floats("x", 1);
        BufferHandle out = device.floats("out", 0);
        RunRequest.Builder b = RunRequest.of("built").named("b");
        List<BufferHandle> ys = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            ys.add(device.floats("y" + i, 0));
            b.tensor(TestDevice.f32(ys.get(i), 1));
        }
        Probe<DeviceEvent> events = watch(device);
        Gate gate = device.gate("a0", Point.EXECUTE).hold();
        for (int i = 0; i < n; i++) {
            device.addConst("a" + i, x, ys.get(i), 1, i);
        }
        TestRun run = device.submit(b.tensor(TestDevice.f32(out, 1)).build());
        device.await("b waits", () -> !details(events, "b", RunPhase.DEFERRED).isEmpty());
        gate.go();
        run.completed();
        awaitEnd(device, events, "b");
        assertThat(details(events, "b", RunPhase.DEFERRED)).hasSize(1);
        assertThat(attempts).containsExactly(1, 2);
        assertThat(device.values(out, 1)).containsExactly(1);
    }

    @TestTemplate
    void everyTypeOfElementIsReadAndWritten(TestDevice device) {
        List<String> wrong = new CopyOnWriteArrayList<>();
        build(
                device,
                c -> {
                    for (int i = 0; i < DataType.values().length; i++) {
                        c.set(i, 1, 3);
                        if (c.get(i, 1) != 3 || c.getLong(i, 1) != 3 || c.get(i, 0) != 0) {
                            wrong.add(c.type(i).toString());
                        }
                    }
                },
                java.util.Collections.nCopies(DataType.values().length, Role.INOUT)
                        .toArray(new Role[0]));
        RunRequest.Builder b = RunRequest.of("built").named("b");
        List<BufferHandle> buffers = new ArrayList<>();
        for (DataType t : DataType.values()) {
            BufferHandle buffer = device.floats(t.toString(), 0, 0, 0, 0);
            buffers.add(buffer);
            b.tensor(buffer.tensor(t, 2));
        }
        device.submit(b.build()).completed();
        assertThat(wrong).isEmpty();
        assertThat(device.values(buffers.get(DataType.F32.ordinal()), 2)).containsExactly(0, 3);
    }
}
