package dev.baton.testkit.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

/** What a test calls: rest, time, hooks, programs, systems, and what it gets to hear. */
class RunningTest {
    record Tell(String text, ActorRef<String> replyTo) {}

    private static Behavior<Runnable> obedient() {
        return Behaviors.receive(Runnable.class)
                .onAnyMessage(order -> {
                    order.run();
                    return Behaviors.same();
                })
                .build();
    }

    private static ActorSystem<Runnable> system(DeterministicRuntime runtime, String name) {
        return runtime.system(obedient(), name, ConfigFactory.empty());
    }

    @Test
    void advanceComesToRestWheneverSomethingIsDue() {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT)) {
            List<Long> at = new ArrayList<>();
            ActorSystem<Integer> system = runtime.system(
                    Behaviors.withTimers(timers -> {
                        timers.startTimerAtFixedRate(1, Duration.ofMillis(10));
                        timers.startTimerWithFixedDelay(2, Duration.ofMillis(25));
                        return Behaviors.receive(Integer.class)
                                .onAnyMessage(key -> {
                                    at.add(key * 1000 + runtime.now().toMillis());
                                    return Behaviors.same();
                                })
                                .build();
                    }),
                    "clock",
                    ConfigFactory.empty());
            runtime.runUntilIdle();
            assertThat(at).isEmpty();
            runtime.advance(Duration.ofMillis(49));
            assertThat(at).containsExactly(1010L, 1020L, 2025L, 1030L, 1040L);
            assertThat(runtime.now()).isEqualTo(Duration.ofMillis(49));
            runtime.terminate(system);
            assertThat(runtime.pendingTimers()).isZero();
        }
    }

    @Test
    void runUntilStopsAsSoonAsTheConditionHolds() {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT)) {
            int[] count = new int[1];
            for (int i = 0; i < 10; i++) {
                runtime.executor().execute(() -> count[0]++);
            }
            assertThat(runtime.runUntil(() -> count[0] == 3, Duration.ZERO)).isTrue();
            assertThat(count[0]).isEqualTo(3);
            assertThat(runtime.runUntil(() -> count[0] == 11, Duration.ofMillis(5)))
                    .isFalse();
            assertThat(runtime.now()).isEqualTo(Duration.ofMillis(5));
        }
    }

    @Test
    void aTestsOwnWaitRunsTheSystemAndLetsTimePass() {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT)) {
            boolean[] open = new boolean[1];
            runtime.fork("opener", () -> {
                runtime.await(() -> false, Duration.ofMillis(7).toNanos());
                open[0] = true;
            });
            assertThat(runtime.await(() -> open[0], 0)).isFalse();
            assertThat(runtime.await(() -> open[0], Long.MAX_VALUE)).isTrue();
            assertThat(runtime.now()).isEqualTo(Duration.ofMillis(7));
            assertThatThrownBy(() -> runtime.await(() -> false, Long.MAX_VALUE)).hasMessageContaining("in vain");
        }
    }

    @Test
    void anAnswerToATestIsAwaitedByRunning() {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT)) {
            ActorSystem<Tell> system = runtime.system(
                    Behaviors.receive(Tell.class)
                            .onMessage(Tell.class, m -> {
                                m.replyTo().tell(m.text() + "!");
                                return Behaviors.same();
                            })
                            .build(),
                    "echo",
                    ConfigFactory.empty());
            CompletionStage<String> answer = AskPattern.ask(
                    system, (ActorRef<String> me) -> new Tell("hello", me), Duration.ofSeconds(3), system.scheduler());
            CompletableFuture<String> future = answer.toCompletableFuture();
            assertThat(runtime.runUntil(future::isDone, Duration.ofSeconds(3))).isTrue();
            assertThat(future.join()).isEqualTo("hello!");
            runtime.terminate(system);
        }
    }

    @Test
    void theHookIsCalledAtEveryRestAndCanLetTimePassAndBeginPrograms() {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT)) {
            ActorSystem<Runnable> system = system(runtime, "driven");
            List<String> seen = new ArrayList<>();
            int[] round = new int[1];
            runtime.drive(() -> {
                switch (round[0]++) {
                    case 0 -> system.tell(() -> seen.add("first"));
                    case 1 ->
                        runtime.fork("sleeper", () -> {
                            runtime.await(() -> false, Duration.ofMillis(3).toNanos());
                            seen.add("slept until " + runtime.now().toMillis());
                        });
                    case 2 -> runtime.elapse(Duration.ofMillis(5));
                    case 3 -> {
                        seen.add("rest at " + runtime.now().toMillis());
                        runtime.newProgram(42);
                        seen.add(runtime.seed() + " at " + runtime.now().toMillis() + ", steps " + runtime.steps());
                    }
                    default -> {
                        return false;
                    }
                }
                return true;
            });
            assertThat(seen).containsExactly("first", "slept until 3", "rest at 5", "42 at 0, steps 0");
            runtime.terminate(system);
        }
    }

    @Test
    void whatAHookThrowsEndsTheDriveOnTheTestsThread() {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT)) {
            Thread[] hook = new Thread[1];
            runtime.fork("worker", () -> runtime.await(() -> true, 1));
            assertThatThrownBy(() -> runtime.drive(() -> {
                        hook[0] = Thread.currentThread();
                        throw new AssertionError("found one");
                    }))
                    .isInstanceOf(AssertionError.class)
                    .hasMessage("found one");
            assertThat(hook[0]).as("no hand-off for the hook").isNotSameAs(Thread.currentThread());
            runtime.fork("next", () -> {});
            runtime.runUntilIdle();
            assertThat(runtime.failures()).isEmpty();
        }
    }

    @Test
    void methodsOfTheTestAreRefusedElsewhere() {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT)) {
            runtime.fork("cheeky", runtime::runUntilIdle);
            runtime.executor().execute(() -> runtime.advance(Duration.ZERO));
            runtime.runUntilIdle();
            assertThat(runtime.failures()).hasSize(2).allMatch(e -> e instanceof IllegalStateException);
            assertThatThrownBy(() -> runtime.elapse(Duration.ZERO)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> runtime.drive(() -> {
                        runtime.runUntilIdle();
                        return false;
                    }))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void runningInCirclesEndsWithSeedAndLastLabels() {
        RuntimeOptions options = RuntimeOptions.DEFAULT.withMaxStepsToRest(1000);
        try (DeterministicRuntime runtime = new DeterministicRuntime(77, options)) {
            boolean[] goOn = {true};
            Runnable[] circle = new Runnable[1];
            circle[0] = () -> {
                if (goOn[0]) {
                    runtime.fork("circle", circle[0]);
                }
            };
            circle[0].run();
            assertThatThrownBy(runtime::runUntilIdle)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("seed 77")
                    .hasMessageContaining("circle");
            goOn[0] = false;
            runtime.runUntilIdle();
        }
    }

    @Test
    void throwablesThatNobodyCatchesAreKeptAndTheNextProgramForgetsThem() {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT)) {
            runtime.fork("broken", () -> {
                throw new AssertionError("broken");
            });
            runtime.runUntilIdle();
            assertThat(runtime.failures()).singleElement().asString().contains("broken");
            runtime.newProgram(2);
            assertThat(runtime.failures()).isEmpty();
        }
    }

    @Test
    void severalSystemsShareARuntimeAndAreToldApart() {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT.withTrace())) {
            ActorSystem<Runnable> one = system(runtime, "one");
            ActorSystem<Runnable> two = system(runtime, "two");
            List<String> seen = new ArrayList<>();
            one.tell(() -> two.tell(() -> seen.add("reached")));
            runtime.runUntilIdle();
            assertThat(seen).containsExactly("reached");
            assertThat(runtime.trace()).containsExactly("one/user", "two/user");
            runtime.terminate(one);
            runtime.terminate(two);
        }
    }

    @Test
    void labelsAreRelativeToTheProgramAndToItsPrefix() {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT.withTrace())) {
            ActorSystem<String> system = runtime.system(
                    Behaviors.setup(ctx -> Behaviors.receive(String.class)
                            .onAnyMessage(name -> {
                                ctx.spawn(
                                        Behaviors.<String>setup(c -> {
                                            c.spawnAnonymous(Behaviors.<String>empty());
                                            return Behaviors.empty();
                                        }),
                                        name);
                                return Behaviors.same();
                            })
                            .build()),
                    "labels",
                    ConfigFactory.empty());
            List<List<String>> traces = new ArrayList<>();
            for (String name : List.of("program-1", "program-11")) {
                runtime.newProgram(5, "/user/" + name, false);
                system.tell(name);
                runtime.runUntilIdle();
                traces.add(runtime.trace());
            }
            assertThat(traces.get(0)).contains("/user", "/", "/$1").isEqualTo(traces.get(1));
            runtime.terminate(system);
        }
    }

    @Test
    void aLogLevelOfTheTestsOwnStartsPekkosLogger() {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT)) {
            ActorSystem<Runnable> system =
                    runtime.system(obedient(), "loud", ConfigFactory.parseString("pekko.loglevel = ERROR"));
            assertThat(system.settings().config().getStringList("pekko.loggers"))
                    .hasSize(1);
            runtime.assertNoForeignThreads();
            runtime.terminate(system);
        }
    }
}
