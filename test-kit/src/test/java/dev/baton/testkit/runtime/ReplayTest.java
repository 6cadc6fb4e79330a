package dev.baton.testkit.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import dev.baton.testkit.runtime.Theatre.Diary;
import dev.baton.testkit.runtime.Theatre.Message;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same seed does the same: alone, again, after other programs, and whatever the policy. */
class ReplayTest {
    private static final int SEEDS = 1000;
    private static final RuntimeOptions OPTIONS = RuntimeOptions.DEFAULT.withEarlyTimers(0.02);

    /** What a program did: everything that can be compared. */
    private record Run(long traceHash, long steps, List<String> lines, List<String> tail) {
        static Run of(DeterministicRuntime runtime, Diary diary) {
            assertThat(runtime.failures()).isEmpty();
            assertThat(runtime.suspended()).isEmpty();
            runtime.assertNoForeignThreads();
            return new Run(runtime.traceHash(), runtime.steps(), diary.lines, runtime.trace());
        }
    }

    private static Run alone(long seed, RuntimeOptions options, Config dispatchers) {
        try (DeterministicRuntime runtime = new DeterministicRuntime(seed, options)) {
            ActorSystem<Message> system = runtime.system(Theatre.guardian(runtime), "theatre", dispatchers);
            Run run = Run.of(runtime, Theatre.play(runtime, system));
            runtime.terminate(system);
            return run;
        }
    }

    /** Plays the seeds in that order in one system, and compares each with what it did before. */
    private static void shared(IntStream seeds, RuntimeOptions options, Config dispatchers, List<Run> expected) {
        try (DeterministicRuntime runtime = new DeterministicRuntime(-1, options)) {
            ActorSystem<Message> system = runtime.system(Theatre.guardian(runtime), "theatre", dispatchers);
            IntConsumer playAndCompare = seed -> {
                runtime.newProgram(seed);
                Run run = Run.of(runtime, Theatre.play(runtime, system));
                assertThat(run).as("seed %d", seed).isEqualTo(expected.get(seed));
                assertThat(runtime.pendingTimers()).isZero();
            };
            seeds.forEach(playAndCompare);
            runtime.terminate(system);
        }
    }

    @Test
    void aThousandSeedsReplayInFreshSystemsAndInSharedOnes() {
        List<Run> first = IntStream.range(0, SEEDS)
                .mapToObj(seed -> alone(seed, OPTIONS, Theatre.BLOCKING))
                .toList();
        for (int seed = 0; seed < SEEDS; seed++) {
            assertThat(alone(seed, OPTIONS, Theatre.BLOCKING))
                    .as("seed %d", seed)
                    .isEqualTo(first.get(seed));
        }
        shared(IntStream.range(0, SEEDS), OPTIONS, Theatre.BLOCKING, first);
        shared(IntStream.range(0, SEEDS).map(i -> SEEDS - 1 - i), OPTIONS, Theatre.BLOCKING, first);

        Set<Long> different = new HashSet<>();
        first.forEach(run -> different.add(run.traceHash()));
        assertThat(different).as("orders explored").hasSizeGreaterThan(SEEDS * 9 / 10);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void otherPoliciesAndPinnedThreadsReplayToo(boolean pinned) {
        int seeds = 50;
        RuntimeOptions options = OPTIONS.withChoice(() -> Choice.byPriority(0.01));
        Config dispatchers = pinned ? Theatre.PINNED : Theatre.BLOCKING;
        List<Run> first = IntStream.range(0, seeds)
                .mapToObj(seed -> alone(seed, options, dispatchers))
                .toList();
        shared(IntStream.range(0, seeds).map(i -> seeds - 1 - i), options, dispatchers, first);
    }

    @Test
    void pinnedThreadsChangeNothingInTheTrace() {
        assertThat(alone(7, OPTIONS, Theatre.PINNED)).isEqualTo(alone(7, OPTIONS, Theatre.BLOCKING));
    }

    @Test
    void withoutChaosTheSeedHasNoSay() {
        RuntimeOptions inOrder = OPTIONS.withoutChaos();
        assertThat(alone(1, inOrder, Theatre.BLOCKING)).isEqualTo(alone(2, inOrder, Theatre.BLOCKING));
    }

    @Test
    void everyOrderOfThreeHeldCallsIsFound() {
        Set<List<String>> orders = new HashSet<>();
        try (DeterministicRuntime runtime = new DeterministicRuntime(0, OPTIONS)) {
            for (int seed = 0; seed < 200; seed++) {
                runtime.newProgram(seed);
                boolean[] open = new boolean[1];
                List<String> order = new ArrayList<>();
                for (String call : List.of("a", "b", "c")) {
                    runtime.fork(call, () -> {
                        runtime.await(() -> open[0], Long.MAX_VALUE);
                        order.add(call);
                    });
                }
                runtime.runUntilIdle();
                assertThat(runtime.suspended()).containsExactly("a", "b", "c");
                open[0] = true;
                runtime.runUntilIdle();
                orders.add(order);
            }
        }
        assertThat(orders).hasSize(6);
    }
}
