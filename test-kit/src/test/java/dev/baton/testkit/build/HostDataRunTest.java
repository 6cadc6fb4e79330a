package dev.baton.testkit.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.HostTensor;
import dev.baton.protocol.LocalCommand;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import dev.baton.protocol.build.Access;
import dev.baton.protocol.build.HostBuild;
import dev.baton.sim.Fault;
import dev.baton.sim.Point;
import dev.baton.testkit.junit.BatonDevice;
import dev.baton.testkit.junit.Gate;
import dev.baton.testkit.junit.TestDevice;
import dev.baton.testkit.junit.TestRun;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.TestTemplate;

/** B1: host tensors, host buffers and their staging, through whole runs. */
@BatonDevice(seeds = 20, threads = 2)
class HostDataRunTest {
    private static ByteBuffer memory(float... values) {
        ByteBuffer b = ByteBuffer.allocateDirect(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        b.asFloatBuffer().put(values);
        return b;
    }

    private static BufferHandle adopt(TestDevice device, String name, ByteBuffer memory) {
        return device.<Reply.AllocateReply>ask("adopt", to -> new LocalCommand.Adopt(name, memory, to))
                .get(Reply.Allocated.class)
                .buffer();
    }

    private static void build(TestDevice device, HostBuild build, Role... roles) {
        device.register(new CallableSpec("built", "copy", Signature.of(roles)), build)
                .get(Reply.Registered.class);
    }

    @TestTemplate
    void theCallersArrayMayBeReusedAtOnceAndResultsAreTheClients(TestDevice device) {
        float[] values = {1, 2};
        Gate gate = device.gate("a", Point.EXECUTE).hold();
        TestRun a = device.submit(RunRequest.of("add_const")
                .named("a")
                .fromHost(HostTensor.ofFloats(values))
                .toHost(DataType.F32, 2)
                .scalar(10)
                .build());
        values[0] = 99;
        TestRun b = device.submit(RunRequest.of("add_const")
                .named("b")
                .fromHost(HostTensor.ofFloats(values))
                .toHost(DataType.F32, 2)
                .scalar(10)
                .build());
        gate.go();
        HostTensor first = a.completed().hostOutputs().get(0);
        HostTensor second = b.completed().hostOutputs().get(0);
        assertThat(first.bytes().toFloats()).containsExactly(11, 12);
        assertThat(second.bytes().toFloats()).containsExactly(109, 12);
    }

    @TestTemplate
    void anInoutHostTensorComesBackAndTheOneThatWentInStays(TestDevice device) {
        HostTensor in = HostTensor.ofFloats(1, 2);
        TestRun run = device.submit(
                RunRequest.of("inc").named("a").fromHost(in).scalar(5).build());
        assertThat(run.completed().hostOutputs().get(0).bytes().toFloats()).containsExactly(6, 7);
        assertThat(in.bytes().toFloats()).containsExactly(1, 2);
    }

    @TestTemplate
    void aHostBufferIsWrittenOnlyByARunThatCompleted(TestDevice device) {
        ByteBuffer memory = memory(7, 7);
        BufferHandle h = adopt(device, "h", memory);
        BufferHandle x = device.floats("x", 1, 2);
        device.control().fail("bad", Point.EXECUTE, Fault.ERROR);
        assertThat(device.addConst("bad", x, h, 2, 1).failure().reason()).isEqualTo(FailureReason.EXECUTION_FAILED);
        assertThat(memory.getFloat(0)).isEqualTo(7);
        Gate gate = device.gate("good", Point.FINALIZE).hold();
        TestRun good = device.addConst("good", x, h, 2, 1);
        gate.awaitHeld();
        assertThat(memory.getFloat(0)).as("not before the run has completed").isEqualTo(7);
        assertThat(device.free(h).get(Reply.Refused.class).refusal().code()).isEqualTo(RefusalCode.IN_USE);
        gate.go();
        good.completed();
        assertThat(memory.getFloat(0)).isEqualTo(2);
        assertThat(memory.getFloat(4)).isEqualTo(3);
        device.free(h).get(Reply.Released.class);
        memory.putFloat(0, 1); // the caller's own again
    }

    @TestTemplate
    void aFailedRunGivesNoHostOutputs(TestDevice device) {
        device.control().fail("bad", Point.EXECUTE, Fault.ERROR);
        TestRun bad = device.submit(RunRequest.of("add_const")
                .named("bad")
                .fromHost(HostTensor.ofFloats(1))
                .toHost(DataType.F32, 1)
                .scalar(1)
                .build());
        assertThat(bad.finished().hostOutputs()).isEmpty();
    }

    @TestTemplate
    void aBuildReadsWhatAnOutHostBufferHolds(TestDevice device) {
        List<Access> answers = new CopyOnWriteArrayList<>();
        build(
                device,
                c -> {
                    answers.add(c.read(1, 0));
                    c.emitOwn(Map.of());
                },
                Role.IN,
                Role.OUT);
        ByteBuffer memory = memory(7, 8);
        BufferHandle h = adopt(device, "h", memory);
        BufferHandle x = device.floats("x", 1, 2);
        device.submit(RunRequest.of("built")
                        .named("b")
                        .tensor(TestDevice.f32(x, 2))
                        .tensor(TestDevice.f32(h, 2))
                        .build())
                .completed();
        assertThat(answers).containsExactly(new Access.Value(Float.floatToRawIntBits(7)));
        assertThat(memory.getFloat(0)).isEqualTo(1);
    }

    @TestTemplate
    void aBuildThatReadsAnOutHostBufferWaitsForTheRunAheadThatWritesIt(TestDevice device) {
        List<Double> read = new CopyOnWriteArrayList<>();
        build(
                device,
                c -> {
                    read.add(c.get(1, 0));
                    c.emitOwn(Map.of());
                },
                Role.IN,
                Role.OUT);
        BufferHandle h = adopt(device, "h", memory(7));
        BufferHandle x = device.floats("x", 1);
        Gate gate = device.gate("a", Point.EXECUTE).hold();
        device.addConst("a", x, h, 1, 41);
        TestRun b = device.submit(RunRequest.of("built")
                .named("b")
                .tensor(TestDevice.f32(x, 1))
                .tensor(TestDevice.f32(h, 1))
                .build());
        device.rest();
        gate.go();
        b.completed();
        assertThat(read).containsExactly(42.0);
    }

    @TestTemplate
    void anOutHostTensorHasNothingToRead(TestDevice device) {
        build(
                device,
                c -> {
                    c.set(1, 0, 5);
                    assertThat(c.get(1, 0)).isEqualTo(5);
                    c.get(1, 1);
                },
                Role.IN,
                Role.OUT);
        TestRun run = device.submit(RunRequest.of("built")
                .named("b")
                .tensor(TestDevice.f32(device.floats("x", 1, 2), 2))
                .toHost(DataType.F32, 2)
                .build());
        assertThat(run.failure().reason()).isEqualTo(FailureReason.BUILD_FAILED);
        assertThat(run.failure().message()).contains("argument 1 is an OUT host tensor");
    }

    @TestTemplate
    void whatABuildWritesIntoAnOutHostTensorComesBack(TestDevice device) {
        build(
                device,
                c -> {
                    c.set(1, 0, 5);
                    c.set(1, 1, 6);
                },
                Role.IN,
                Role.OUT);
        TestRun run = device.submit(RunRequest.of("built")
                .named("b")
                .tensor(TestDevice.f32(device.floats("x", 1, 2), 2))
                .toHost(DataType.F32, 2)
                .build());
        assertThat(run.completed().hostOutputs().get(0).bytes().toFloats()).containsExactly(5, 6);
    }

    @TestTemplate
    void stagingIsHeldWhileARunMayStillExecute(TestDevice device) {
        device.control().fail("lost", Point.FINALIZE, Fault.ERROR);
        TestRun lost = device.submit(RunRequest.of("add_const")
                .named("lost")
                .fromHost(HostTensor.ofFloats(1))
                .toHost(DataType.F32, 1)
                .scalar(1)
                .build());
        assertThat(lost.failure().reason()).isEqualTo(FailureReason.UNPROVEN);
        assertThat(device.status().retained()).isEqualTo(1);
        assertThat(device.<Reply.CloseReply>ask("close", DeviceCommand.Close::new)
                        .get(Reply.Closed.class)
                        .leaked())
                .isNotEmpty();
    }
}
