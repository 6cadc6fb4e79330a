package dev.baton.build;

import static dev.baton.build.Bench.declared;
import static dev.baton.build.Bench.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.build.BuildLatch.Cause;
import dev.baton.protocol.Role;
import dev.baton.protocol.build.BuildContext;
import dev.baton.protocol.build.BuildSignal;
import dev.baton.protocol.driver.Task;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What is done in a scope carries its label: tasks, failures, waits. */
class BuildScopeTest {
    private static Object in(BuildContext c, String name, java.util.function.Consumer<BuildContext> work) {
        Function<BuildContext, Boolean> body = s -> {
            work.accept(s);
            return true;
        };
        return c.scope(name, body);
    }

    private static Task task(String kernel) {
        return new Task(kernel, List.of(), List.of());
    }

    @Test
    void tasksCarryTheLabelsOfTheirScopes() {
        Bench b = new Bench(64);
        BuildSession s = b.build(c -> {
            c.emit(task("first"));
            in(c, "outer", o -> {
                o.emit(task("second"));
                in(o, "inner", i -> {
                    assertThat(i.scope()).isEqualTo("outer/inner");
                    i.emitOwn(Map.of());
                    i.emit(task("third").in("its own"));
                    c.emit(task("by the outer context"));
                });
            });
            assertThat(c.scope()).isEmpty();
        });
        assertThat(b.device.tasks)
                .extracting(Task::scope)
                .containsExactly("", "outer", "outer/inner", "outer/inner/its own", "");
        assertThat(s.emitted()).isEqualTo("5 tasks: outer 1, outer/inner 1, outer/inner/its own 1");
    }

    @Test
    void labelsAreBounded() {
        Bench b = new Bench(64);
        BuildSession s = b.build(c -> {
            for (int i = 0; i < 20; i++) {
                in(c, "s" + i, o -> o.emit(task("k")));
            }
            in(c, "x".repeat(1000), o -> assertThat(o.scope()).hasSize(BuildContext.MAX_SCOPE_CHARS));
        });
        assertThat(s.emitted()).startsWith("20 tasks: s0 1,").endsWith("s15 1, other scopes 4");
    }

    @Test
    void aFailureNamesTheScopeOfTheContextThatMetIt() {
        Bench b = new Bench(64).f32(Role.IN, 0, 4);
        for (java.util.function.Consumer<BuildContext> failing : List.<java.util.function.Consumer<BuildContext>>of(
                c -> c.fail("no"),
                c -> c.fail(new IllegalStateException("no")),
                c -> c.read(0, 99),
                c -> c.write(0, 0, 1),
                c -> c.emit(new Task("k", List.of(new Task.TaskArgument.OfRun(9)), List.of())),
                c -> c.scalar(0))) {
            BuildSession s = b.build(c -> in(c, "a", o -> in(o, "b", failing)));
            assertThat(s.cause()).isNotNull();
            assertThat(s.failedIn()).isEqualTo("a/b");
        }
        assertThat(b.build(c -> c.fail("no")).failedIn()).isEmpty();
    }

    @Test
    void aWaitNamesItsScope() {
        Bench b = new Bench(64).f32(Role.IN, 0, 4).fence(declared("A", 1, 0, 16, new Outcome()));
        BuildSession s = b.build(c -> in(c, "residual", o -> o.get(0, 0)));
        assertThat(s.cause()).isEqualTo(new Cause.NotProduced(run("A")));
        assertThat(s.failedIn()).isEqualTo("residual");
    }

    @Test
    void whatIsThrownOutOfTheBuildNamesTheInnermostScopeThatItLeft() {
        IllegalStateException thrown = new IllegalStateException("no");
        BuildSession s = new Bench(64)
                .build(c -> in(
                        c,
                        "a",
                        o -> in(o, "b", i -> {
                            throw thrown;
                        })));
        assertThat(s.cause()).isEqualTo(new Cause.Own("IllegalStateException: no", thrown));
        assertThat(s.failedIn()).isEqualTo("a/b");
    }

    @Test
    void whatIsThrownOutOfAScopeAndCaughtIsNoFailure() {
        BuildSession s = new Bench(64).build(c -> {
            assertThatThrownBy(() -> in(c, "a", o -> {
                        throw new IllegalStateException("caught");
                    }))
                    .hasMessage("caught");
            assertThat(c.ended()).isFalse();
        });
        assertThat(s.cause()).isNull();
        BuildSession t = new Bench(64).build(c -> {
            assertThatThrownBy(() -> in(c, "a", o -> {
                        throw new IllegalStateException("caught");
                    }))
                    .hasMessage("caught");
            throw new IllegalStateException("another");
        });
        assertThat(t.failedIn()).isEmpty();
    }

    @Test
    void anEndedAttemptIsEndedInEveryScope() {
        Bench b = new Bench(64).f32(Role.INOUT, 0, 4);
        BuildSession s = b.build(c -> in(c, "a", o -> {
            c.fail("over");
            assertThat(o.ended()).isTrue();
            assertThatThrownBy(() -> o.get(0, 0)).isInstanceOf(BuildSignal.class);
            o.emit(task("k"));
        }));
        assertThat(s.failedIn()).isEmpty();
        assertThat(b.device.tasks).isEmpty();
    }
}
