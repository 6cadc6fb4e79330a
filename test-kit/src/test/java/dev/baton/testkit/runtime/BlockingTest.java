package dev.baton.testkit.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorSystem;
import org.junit.jupiter.api.Test;

/** Code that blocks: waits, failures put into them, limits, and what is refused. */
class BlockingTest {
    private static final long FOR_EVER = Long.MAX_VALUE;

    @Test
    void aFailurePutIntoAWaitIsThrownThereWhateverTheConditionSays() {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT.withTrace())) {
            ActorSystem<Runnable> system = Obedient.system(runtime, false, 2);
            List<String> seen = new ArrayList<>();
            system.tell(() -> {
                try {
                    runtime.await(() -> false, FOR_EVER);
                } catch (IllegalStateException e) {
                    seen.add(e.getMessage());
                }
            });
            runtime.runUntilIdle();
            assertThat(runtime.suspended()).containsExactly("/user/actor-0", "/user/actor-1");
            assertThat(runtime.injectFailure(
                            label -> label.endsWith("-1"), () -> new IllegalStateException("device lost")))
                    .isTrue();
            assertThat(runtime.injectFailure(label -> label.endsWith("-1"), () -> new IllegalStateException("twice")))
                    .as("one failure a wait")
                    .isFalse();
            assertThat(runtime.injectFailure("nobody"::equals, IllegalStateException::new))
                    .isFalse();
            runtime.runUntilIdle();
            assertThat(seen).containsExactly("device lost");
            assertThat(runtime.suspended()).containsExactly("/user/actor-0");
            assertThat(runtime.trace()).contains("!/user/actor-1");
            assertThat(runtime.injectFailure(label -> true, () -> new IllegalStateException("end")))
                    .isTrue();
            runtime.terminate(system);
        }
    }

    @Test
    void aLimitPassesOnlyWithVirtualTime() {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT)) {
            List<String> seen = new ArrayList<>();
            runtime.fork("impatient", () -> seen.add(runtime.await(() -> false, 1_000) + " at " + runtime.nanoTime()));
            runtime.runUntilIdle();
            assertThat(seen).isEmpty();
            assertThat(runtime.pendingTimers()).isEqualTo(1);
            runtime.advance(Duration.ofNanos(999));
            assertThat(seen).isEmpty();
            runtime.advance(Duration.ofNanos(1));
            assertThat(seen).containsExactly("false at 1000");
            assertThat(runtime.pendingTimers()).isZero();
        }
    }

    @Test
    void aConditionThatHoldsInTimeLeavesNoLimitBehind() {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT)) {
            boolean[] open = new boolean[1];
            List<Boolean> seen = new ArrayList<>();
            runtime.fork("patient", () -> seen.add(runtime.await(() -> open[0], 1_000)));
            runtime.runUntilIdle();
            open[0] = true;
            runtime.runUntilIdle();
            assertThat(seen).containsExactly(true);
            assertThat(runtime.pendingTimers()).isZero();
        }
    }

    @Test
    void aConditionThatThrowsFailsItsOwnWait() {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT)) {
            boolean[] broken = new boolean[1];
            runtime.fork(
                    "asker",
                    () -> runtime.await(
                            () -> {
                                if (broken[0]) {
                                    throw new ArithmeticException("broken");
                                }
                                return false;
                            },
                            FOR_EVER));
            runtime.runUntilIdle();
            broken[0] = true;
            runtime.runUntilIdle();
            assertThat(runtime.failures()).singleElement().isInstanceOf(ArithmeticException.class);
        }
    }

    @Test
    void aWaitIsAPointOfChoiceEvenIfItsConditionHolds() {
        Set<List<String>> orders = new HashSet<>();
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT)) {
            for (int seed = 0; seed < 50; seed++) {
                runtime.newProgram(seed);
                List<String> order = new ArrayList<>();
                for (String name : List.of("a", "b")) {
                    runtime.fork(name, () -> {
                        order.add(name + 1);
                        runtime.await(() -> true, FOR_EVER);
                        order.add(name + 2);
                    });
                }
                runtime.runUntilIdle();
                orders.add(order);
            }
        }
        assertThat(orders).hasSize(6);
    }

    @Test
    void stepsThatMustNotBlockMayAskButNotWait() {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT)) {
            List<Boolean> asked = new ArrayList<>();
            runtime.executor().execute(() -> {
                asked.add(runtime.await(() -> true, FOR_EVER));
                asked.add(runtime.await(() -> false, 0));
                runtime.await(() -> false, 1);
            });
            runtime.runUntilIdle();
            assertThat(asked).containsExactly(true, false);
            assertThat(runtime.failures())
                    .singleElement()
                    .asString()
                    .contains("'task' waits, but runs where nothing may");
        }
    }

    @Test
    void aSystemWhoseThreadsStandInWaitsSaysSoWhenItCannotEnd() {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT)) {
            ActorSystem<Runnable> system = Obedient.system(runtime, false, 1);
            system.tell(() -> runtime.await(() -> false, FOR_EVER));
            runtime.runUntilIdle();
            assertThatThrownBy(() -> runtime.terminate(system))
                    .hasMessageContaining("did not end")
                    .hasMessageContaining("/user/actor-0");
        }
    }
}
