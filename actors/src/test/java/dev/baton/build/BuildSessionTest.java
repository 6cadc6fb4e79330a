package dev.baton.build;

import static dev.baton.build.Bench.declared;
import static dev.baton.build.Bench.handle;
import static dev.baton.build.Bench.run;
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
import dev.baton.protocol.build.Access;
import dev.baton.protocol.build.BuildSignal;
import dev.baton.protocol.driver.CallAborted;
import dev.baton.protocol.driver.DriverException;
import dev.baton.protocol.driver.Task;
import dev.baton.protocol.driver.Task.TaskArgument;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** B4 to B7, B9, B10: failures, tasks and questions of one attempt. */
class BuildSessionTest {
    private final Outcome a = new Outcome();

    private Bench waiting() {
        return new Bench(64).f32(Role.INOUT, 0, 4).scalar(1).fence(declared("A", 1, 0, 16, a));
    }

    // ---- failures

    @Test
    void aGoodBuildHasNoCause() {
        Bench b = new Bench(64);
        assertThat(b.build(c -> assertThat(c.ended()).isFalse()).cause()).isNull();
    }

    @Test
    void whatABuildThrowsIsItsFailure() {
        for (Throwable t : List.of(
                new IllegalStateException("no"), new Exception("no"), new AssertionError("no"), new Error("no"))) {
            BuildSession s = new Bench(64).build(c -> sneak(t));
            assertThat(s.cause()).isEqualTo(new Cause.Own(t.getClass().getSimpleName() + ": no", t));
        }
    }

    private static void sneak(Throwable t) throws Exception {
        if (t instanceof Error e) {
            throw e;
        }
        throw (Exception) t;
    }

    @Test
    void aThrowAfterTheLatchChangesNothing() {
        BuildSession s = waiting().build(c -> {
            c.read(0, 0);
            throw new IllegalStateException("confused by the answer");
        });
        assertThat(s.cause()).isEqualTo(new Cause.NotProduced(run("A")));
    }

    @Test
    void aSignalUnwindsTheBuildAndTheRunWaits() {
        List<String> reached = new ArrayList<>();
        BuildSession s = waiting().build(c -> {
            c.get(0, 0);
            reached.add("beyond");
        });
        assertThat(reached).isEmpty();
        assertThat(s.cause()).isEqualTo(new Cause.NotProduced(run("A")));
    }

    @Test
    void codeThatSwallowsTheSignalChangesNothing() {
        BuildSession s = waiting().build(c -> {
            assertThatThrownBy(() -> c.get(0, 0))
                    .isInstanceOfSatisfying(
                            BuildSignal.class,
                            e -> assertThat(e.answer()).isEqualTo(new Access.NotProducedYet(run("A"))));
            c.fail("something else");
        });
        assertThat(s.cause()).isEqualTo(new Cause.NotProduced(run("A")));
    }

    @Test
    void aSignalOfTheUsersOwnMakingIsAFailure() {
        BuildSession s = new Bench(64).build(c -> {
            throw new BuildSignal(new Access.NotProducedYet(run("Z")));
        });
        assertThat(s.cause()).isInstanceOf(Cause.Own.class);
    }

    @Test
    void failsInWordsAndByThrowable() {
        BuildSession s = new Bench(64).build(c -> {
            c.fail("worker lost");
            c.fail("again");
            assertThat(c.ended()).isTrue();
        });
        assertThat(s.cause()).isEqualTo(new Cause.Own("worker lost", null));
        Exception e = new Exception("bad");
        assertThat(new Bench(64).build(c -> c.fail(e)).cause()).isEqualTo(new Cause.Own("Exception: bad", e));
    }

    @Test
    void theDeathOfTheActorPasses() {
        BuildSession s = new Bench(64).session();
        assertThatThrownBy(() -> s.run(c -> {
                    throw new CallAborted("die");
                }))
                .isInstanceOf(CallAborted.class);
        Bench b = new Bench(64).f32(Role.IN, 0, 1);
        b.device.hostView = false;
        b.device.failure = new CallAborted("die");
        for (BuildSession t : List.of(b.session(), b.session(), b.session())) {
            assertThatThrownBy(() -> t.read(0, 0)).isInstanceOf(CallAborted.class);
            assertThatThrownBy(() -> t.scratch(1)).isInstanceOf(CallAborted.class);
            assertThatThrownBy(() -> t.emitOwn(Map.of())).isInstanceOf(CallAborted.class);
            assertThat(t.cause()).isNull();
        }
        b.onAllocate = () -> {
            throw new CallAborted("die");
        };
        assertThatThrownBy(() -> b.session().allocate("x", 1)).isInstanceOf(CallAborted.class);
    }

    @Test
    void aFailureThatArrivesBetweenRefusalAndReportWins() {
        BuildSession s = waiting().session();
        Access answer = s.read(0, 0, () -> s.fail("worker lost"));
        assertThat(answer).isEqualTo(new Access.NotProducedYet(run("A")));
        assertThat(s.cause()).isEqualTo(new Cause.Own("worker lost", null));
    }

    @Test
    void twoRefusalsThatRaceBothMeanWait() {
        BuildSession s = waiting().session();
        List<Access> inner = new ArrayList<>();
        s.onRefusal((argument, refusal) -> {
            if (inner.isEmpty()) {
                assertThat(argument).isZero();
                inner.add(refusal);
                inner.add(s.write(0, 1, 1));
            }
        });
        assertThat(s.read(0, 0)).isEqualTo(new Access.NotProducedYet(run("A")));
        assertThat(inner).hasSize(2).containsOnly(new Access.NotProducedYet(run("A")));
        assertThat(s.cause()).isEqualTo(new Cause.NotProduced(run("A")));
    }

    @Test
    void aRefusalIsLatchedWhateverItsWatchersDo() {
        BuildSession s = waiting().session();
        assertThatThrownBy(() -> s.write(0, 0, 1, () -> {
                    throw new IllegalStateException("watcher");
                }))
                .hasMessage("watcher");
        assertThat(s.cause()).isEqualTo(new Cause.NotProduced(run("A")));
    }

    @Test
    void watchersSeeRefusalsOnly() {
        BuildSession s = new Bench(64).f32(Role.INOUT, 0, 4).session();
        s.onRefusal((argument, refusal) -> {
            throw new AssertionError();
        });
        Runnable never = () -> {
            throw new AssertionError();
        };
        s.write(0, 0, 1, never);
        s.read(0, 0, never);
        s.fail("over");
        assertThat(s.read(0, 9, never)).isEqualTo(Access.Ended.INSTANCE);
    }

    @Test
    void afterTheLatchEveryOperationReturnsAtOnce() {
        Bench b = new Bench(64).f32(Role.INOUT, 0, 4).scalar(3);
        BuildSession s = b.session();
        s.fail("over");
        int signals = b.runtime.signals.get();
        assertThat(s.read(0, 0)).isEqualTo(Access.Ended.INSTANCE);
        assertThat(s.read(99, 0)).isEqualTo(Access.Ended.INSTANCE);
        assertThat(s.write(0, 0, 1)).isEqualTo(Access.Ended.INSTANCE);
        for (Runnable getter : List.<Runnable>of(
                () -> s.get(0, 0),
                () -> s.getLong(0, 0),
                () -> s.getAll(0, 0, 0),
                () -> s.set(0, 0, 1),
                () -> s.set(99, 0, 1),
                () -> s.scratch(8),
                s::status)) {
            assertThatThrownBy(getter::run)
                    .isInstanceOfSatisfying(
                            BuildSignal.class, e -> assertThat(e.answer()).isEqualTo(Access.Ended.INSTANCE));
        }
        s.emit(new Task("k", List.of(), List.of()));
        s.emitOwn(Map.of(99, Scalar.f32(1)));
        assertThat(refusal(s.allocate("x", 1))).isEqualTo(RefusalCode.INVALID_ARGUMENT);
        assertThat(refusal(s.free(handle(1), When.NOW))).isEqualTo(RefusalCode.INVALID_ARGUMENT);
        assertThat(s.scalar(1).asDouble()).isEqualTo(3);
        assertThat(s.elements(0)).isEqualTo(4);
        assertThat(s.deviceWrites()).isEmpty();
        assertThat(b.device.calls).isEmpty();
        assertThat(b.asked).isEmpty();
        assertThat(b.runtime.signals).hasValue(signals);
        assertThat(s.cause()).isEqualTo(new Cause.Own("over", null));
    }

    @Test
    void aThreadLeftBehindFindsTheAttemptEnded() {
        Bench b = new Bench(64).f32(Role.INOUT, 0, 4);
        BuildSession s = b.build(c -> c.set(0, 0, 1));
        assertThat(s.cause()).isNull();
        assertThat(s.write(0, 1, 1)).isEqualTo(Access.Ended.INSTANCE);
        s.fail("too late");
        assertThat(s.cause()).isNull();
        assertThat(s.deviceWrites()).hasSize(1);
    }

    @Test
    void whoWaitsForTheEndHearsOfIt() {
        Bench b = waiting();
        BuildSession s = b.session();
        s.read(0, 0);
        assertThat(b.runtime.signals).hasValue(1);
    }

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
                                List.of()));
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
