package dev.baton.build;

import static dev.baton.build.Bench.declared;
import static dev.baton.build.Bench.handle;
import static dev.baton.build.Bench.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.build.BuildLatch.Cause;
import dev.baton.protocol.DeviceCommand.When;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Role;
import dev.baton.protocol.Scalar;
import dev.baton.protocol.build.Access;
import dev.baton.protocol.build.BuildSignal;
import dev.baton.protocol.driver.CallAborted;
import dev.baton.protocol.driver.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** B4 to B7: how an attempt ends. */
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

    private static RefusalCode refusal(Object reply) {
        return ((Reply.Refused) reply).refusal().code();
    }
}
