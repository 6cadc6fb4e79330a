package dev.baton.testkit.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.pekko.actor.typed.ActorSystem;
import org.junit.jupiter.api.Test;

/** The runtime's threads and those of others: how they end, whom they belong to, and what is said when one is stuck. */
class ThreadsTest {
    private static final long FOR_EVER = Long.MAX_VALUE;

    private static Thread[] threads() {
        Thread[] all = new Thread[Thread.activeCount() + 100];
        Thread.enumerate(all);
        return all;
    }

    private static List<String> runtimeThreads() {
        List<String> names = new ArrayList<>();
        for (Thread thread : threads()) {
            if (thread instanceof Worker) {
                names.add(thread.getName());
            }
        }
        return names;
    }

    @Test
    void closingEndsEveryWaitAndEveryThread() {
        List<String> ended = new ArrayList<>();
        DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT);
        ActorSystem<Runnable> system = Obedient.system(runtime, true, 2);
        Runnable stubborn = () -> {
            try {
                runtime.await(() -> false, FOR_EVER);
            } finally {
                runtime.fork("too late", () -> ended.add("never"));
                assertThatThrownBy(() -> runtime.await(() -> true, FOR_EVER)).isInstanceOf(RuntimeClosed.class);
                ended.add("unwound");
            }
        };
        system.tell(stubborn);
        runtime.fork("fork", stubborn);
        runtime.fork("short", () -> {});
        runtime.runUntilIdle();
        assertThat(runtimeThreads()).hasSizeGreaterThanOrEqualTo(3);
        runtime.close();
        runtime.close();
        assertThat(ended).containsExactly("unwound", "unwound", "unwound");
        assertThat(runtimeThreads()).isEmpty();
        assertThatThrownBy(() -> runtime.await(() -> true, 0)).isInstanceOf(RuntimeClosed.class);
    }

    @Test
    void aPinnedActorKeepsItsThreadAndGivesItBackAtItsEnd() {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT)) {
            ActorSystem<Runnable> system = Obedient.system(runtime, true, 3);
            Set<String> homes = new HashSet<>();
            for (int round = 0; round < 20; round++) {
                system.tell(() -> {
                    homes.add(Thread.currentThread().getName());
                    runtime.await(() -> true, FOR_EVER);
                    homes.add(Thread.currentThread().getName());
                });
                runtime.fork("other", () -> runtime.await(() -> true, FOR_EVER));
                runtime.runUntilIdle();
            }
            assertThat(homes).hasSize(3);
            runtime.terminate(system);
            int before = runtimeThreads().size();
            ActorSystem<Runnable> next = Obedient.system(runtime, true, 3);
            next.tell(() -> {});
            runtime.runUntilIdle();
            assertThat(runtimeThreads()).hasSize(before);
            runtime.terminate(next);
        }
    }

    @Test
    void threadsOfOthersAreNoticedAndServed() throws InterruptedException {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT)) {
            ActorSystem<Runnable> system = Obedient.system(runtime, false, 1);
            runtime.assertNoForeignThreads();
            List<String> seen = new ArrayList<>();
            Thread stranger = new Thread(() -> system.tell(() -> seen.add("served")), "stranger");
            stranger.start();
            stranger.join();
            runtime.runUntilIdle();
            assertThat(seen).containsExactly("served");
            assertThat(runtime.foreignThreads()).singleElement().asString().startsWith("stranger: hands over ");
            assertThatThrownBy(runtime::assertNoForeignThreads)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("stranger");
            runtime.terminate(system);
        }
    }

    @Test
    void aStepThatBlocksBehindTheRuntimesBackIsNamed() {
        RuntimeOptions impatient = RuntimeOptions.DEFAULT.withStuckAfter(Duration.ofMillis(50));
        CountDownLatch latch = new CountDownLatch(1);
        DeterministicRuntime runtime = new DeterministicRuntime(1, impatient);
        CompletableFuture<Thread> stuck = new CompletableFuture<>();
        runtime.fork("sinner", () -> {
            stuck.complete(Thread.currentThread());
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThatThrownBy(runtime::runUntilIdle)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("CountDownLatch.await")
                .hasMessageContaining(stuck.join().getName());
        assertThatThrownBy(runtime::runUntilIdle).isInstanceOf(RuntimeClosed.class);
        latch.countDown();
        runtime.close();
        assertThat(runtimeThreads()).isEmpty();
    }

    @Test
    void anInterruptIsLeftToTheCodeThatWaits() {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT)) {
            boolean[] open = new boolean[1];
            List<Boolean> interrupted = new ArrayList<>();
            Thread[] waiter = new Thread[1];
            runtime.fork("waiter", () -> {
                waiter[0] = Thread.currentThread();
                runtime.await(() -> open[0], FOR_EVER);
                interrupted.add(Thread.currentThread().isInterrupted());
            });
            runtime.runUntilIdle();
            waiter[0].interrupt();
            open[0] = true;
            runtime.runUntilIdle();
            assertThat(interrupted).containsExactly(true);
            runtime.fork("next", () -> interrupted.add(Thread.currentThread().isInterrupted()));
            runtime.runUntilIdle();
            assertThat(interrupted).containsExactly(true, false);
        }
    }

    @Test
    void tooManyThreadsAreAnErrorThatSaysWhatTheyDo() {
        try (DeterministicRuntime runtime = new DeterministicRuntime(1, RuntimeOptions.DEFAULT)) {
            for (int i = 0; i <= Crew.MAX_WORKERS; i++) {
                runtime.fork("hoarder", () -> runtime.await(() -> false, FOR_EVER));
            }
            assertThatThrownBy(runtime::runUntilIdle)
                    .hasMessageContaining("threads: " + Crew.MAX_WORKERS)
                    .hasMessageContaining("hoarder");
        }
    }
}
