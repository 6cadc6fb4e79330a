package dev.baton.build;

import static dev.baton.build.Bench.handle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.build.BuildLatch.Cause;
import dev.baton.protocol.DeviceCommand.When;
import dev.baton.protocol.OperationFailure;
import dev.baton.protocol.Refusal;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Role;
import dev.baton.protocol.Scalar;
import dev.baton.protocol.build.BuildSignal;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.Task;
import dev.baton.protocol.driver.Task.TaskArgument;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** B2, B9, B10, R41: tasks and questions of one attempt. */
class BuildTasksTest {
    // ---- tasks

    @Test
    void tasksReachTheDriverInOrder() {
        Bench b =
                new Bench(64).f32(Role.IN, 0, 4).f32(Role.OUT, 16, 4).scalar(1).scalar(2);
        Task first = new Task("first", List.of(new TaskArgument.OfRun(1)), List.of(4L));
        b.build(c -> {
            c.emit(first);
            c.scope("rest", s -> {
                s.emitOwn(Map.of(3, Scalar.f32(9)));
                return true;
            });
            assertThat(c.scratch(16)).isEqualTo(0x900000L);
        });
        assertThat(b.device.tasks)
                .containsExactly(
                        first,
                        new Task(
                                "own",
                                List.of(
                                        new TaskArgument.OfRun(0),
                                        new TaskArgument.OfRun(1),
                                        new TaskArgument.OfRun(2),
                                        new TaskArgument.Value(Scalar.f32(9))),
                                List.of(),
                                "rest"));
        assertThat(b.device.calls).containsExactly("emit first", "emit own", "scratch 16");
        assertThat(b.device.breaches).isEmpty();
    }

    @Test
    void whatDoesNotFitTheArgumentsNeverReachesTheDriver() {
        Bench b = new Bench(64).f32(Role.IN, 0, 4).scalar(1);
        for (int index : new int[] {-1, 2}) {
            BuildSession s = b.session();
            s.emit(new Task("k", List.of(new TaskArgument.OfRun(index)), List.of()));
            assertThat(s.cause()).isInstanceOf(Cause.NotCovered.class);
        }
        for (Map<Integer, Scalar> scalars :
                List.of(Map.of(0, Scalar.f32(1)), Map.of(2, Scalar.f32(1)), Map.of(1, Scalar.f64(1)))) {
            BuildSession s = b.session();
            s.emitOwn(scalars);
            assertThat(s.cause()).isInstanceOf(Cause.NotCovered.class);
        }
        assertThat(b.device.calls).isEmpty();
    }

    @Test
    void aDriverThatRefusesATaskFailsTheBuild() {
        for (Throwable t :
                List.of(new DriverException("kernel k is unknown"), new LinkageError("kernel k is unknown"))) {
            Bench b = new Bench(64);
            b.device.failure = t;
            BuildSession s = b.build(c -> {
                c.emitOwn(Map.of());
                c.emitOwn(Map.of());
            });
            assertThat(s.cause()).asString().contains("kernel k is unknown");
            assertThat(b.device.calls).hasSize(1);
            BuildSession u = b.build(c -> assertThatThrownBy(() -> c.scratch(8)).isInstanceOf(BuildSignal.class));
            assertThat(u.cause()).isInstanceOf(Cause.Own.class);
        }
    }

    // ---- questions

    private static RefusalCode refusal(Object reply) {
        return ((Reply.Refused) reply).refusal().code();
    }

    @Test
    void aFreeWhenIdleWouldDeadlockAndIsNotAsked() {
        Bench b = new Bench(64);
        BuildSession s = b.session();
        assertThat(refusal(s.free(handle(1), When.LATER))).isEqualTo(RefusalCode.WOULD_DEADLOCK);
        s.fail("over");
        assertThat(refusal(s.free(handle(1), When.LATER))).isEqualTo(RefusalCode.WOULD_DEADLOCK);
        assertThat(b.asked).isEmpty();
    }

    @Test
    void whatAnAttemptAllocatedAndDidNotFreeIsKnown() {
        Bench b = new Bench(64);
        BuildSession s = b.build(c -> {
            c.allocate("x", 8);
            c.allocate("y", 8);
            c.free(handle(1), When.NOW);
            c.free(handle(77), When.NOW);
            assertThat(c.status().device()).isEqualTo("d");
        });
        assertThat(b.asked).containsExactly("allocate x", "allocate y", "free 1", "free 77", "status");
        assertThat(s.allocated()).containsExactly(new BuildSession.Allocation(null, handle(2)));
    }

    @Test
    void whatWasNotGrantedOrNotFreedCountsAsItIs() {
        Bench b = new Bench(64);
        BuildSession s = b.session();
        b.onAllocate = () -> new Reply.Failed(OperationFailure.OUT_OF_MEMORY, "full");
        assertThat(s.allocate("x", 8)).isInstanceOf(Reply.Failed.class);
        assertThat(s.allocated()).isEmpty();
        b.onAllocate = () -> new Reply.Allocated(handle(5), 0, 8);
        s.allocate("y", 8);
        b.onFree = () -> new Reply.Refused(Refusal.of(RefusalCode.IN_USE, "in use"));
        s.free(handle(5), When.NOW);
        assertThat(s.allocated()).hasSize(1);
        assertThat(s.cause()).as("an answer is no failure of the build").isNull();
    }

    @Test
    void aQuestionThatBreaksDownFailsTheBuild() {
        Bench b = new Bench(64);
        b.onAllocate = () -> {
            throw new IllegalStateException("no answer");
        };
        BuildSession s =
                b.build(c -> assertThatThrownBy(() -> c.allocate("x", 1)).isInstanceOf(BuildSignal.class));
        assertThat(s.cause()).asString().contains("no answer");
    }
}
