package dev.baton.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real threads: the tests wait for things that come, and never measure how long they took; the time-out only ends a hang. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ThreadRuntimeTest {
    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

    private static void unexpected(String name, Throwable cause) {
        throw new AssertionError(name, cause);
    }

    @Test
    void aWaitWhoseConditionHoldsAsksOnce() {
        try (ThreadRuntime runtime = new ThreadRuntime()) {
            AtomicInteger asked = new AtomicInteger();
            assertThat(runtime.await(() -> asked.incrementAndGet() > 0, 0)).isTrue();
            assertThat(asked).hasValue(1);
        }
    }

    @Test
    void aWaitWithoutTimeOnlyAsks() {
        try (ThreadRuntime runtime = new ThreadRuntime()) {
            AtomicInteger asked = new AtomicInteger();
            assertThat(runtime.await(() -> asked.incrementAndGet() > 1, 0)).isFalse();
            assertThat(runtime.await(() -> asked.incrementAndGet() > 9, -5)).isFalse();
            assertThat(asked).hasValue(2);
        }
    }

    @Test
    void aLimitEndsShortAndLongWaits() {
        try (ThreadRuntime runtime = new ThreadRuntime()) {
            for (long limit :
                    List.of(1L, ThreadRuntime.SPIN_NANOS, ThreadRuntime.FINE_NANOS, 3 * ThreadRuntime.FINE_NANOS)) {
                long begin = runtime.nanoTime();
                assertThat(runtime.await(() -> false, limit)).isFalse();
                assertThat(runtime.nanoTime() - begin).isGreaterThanOrEqualTo(limit);
            }
        }
    }

    @Test
    void aSignalEndsAParkThatWouldLastAnHour() {
        try (ThreadRuntime runtime = new ThreadRuntime(ThreadRuntimeTest::unexpected, HOUR_NANOS, HOUR_NANOS)) {
            AtomicBoolean open = new AtomicBoolean();
            AtomicInteger asked = new AtomicInteger();
            CompletableFuture<Boolean> held = new CompletableFuture<>();
            runtime.fork(
                    "waiter",
                    () -> held.complete(runtime.await(
                            () -> {
                                asked.incrementAndGet();
                                return open.get();
                            },
                            Long.MAX_VALUE)));
            // the waiter has stopped spinning when it asks no more
            for (int last = -1; asked.get() != last || last == 0; ) {
                last = asked.get();
                runtime.await(() -> false, 4 * ThreadRuntime.FINE_NANOS);
            }
            open.set(true);
            runtime.signal();
            assertThat(held.join()).isTrue();
        }
    }

    @Test
    void noWakeUpIsLostBetweenTwoThreadsThatAlternate() {
        try (ThreadRuntime runtime = new ThreadRuntime(ThreadRuntimeTest::unexpected, HOUR_NANOS, HOUR_NANOS)) {
            AtomicInteger turn = new AtomicInteger();
            CompletableFuture<?>[] ended = new CompletableFuture<?>[2];
            for (int i = 0; i < 2; i++) {
                int me = i;
                CompletableFuture<Boolean> end = new CompletableFuture<>();
                ended[i] = end;
                runtime.fork("player-" + me, () -> {
                    for (int round = 0; round < 5_000; round++) {
                        runtime.await(() -> turn.get() == me, Long.MAX_VALUE);
                        turn.set(1 - me);
                        runtime.signal();
                    }
                    end.complete(true);
                });
            }
            CompletableFuture.allOf(ended).join();
        }
    }

    @Test
    void aConditionThatComesWithoutASignalIsSeen() {
        try (ThreadRuntime runtime = new ThreadRuntime()) {
            AtomicBoolean open = new AtomicBoolean();
            runtime.fork("opener", () -> {
                runtime.await(() -> false, 9 * ThreadRuntime.FINE_NANOS);
                open.set(true);
            });
            assertThat(runtime.await(open::get, Long.MAX_VALUE)).isTrue();
        }
    }

    @Test
    void anInterruptNeitherEndsAWaitNorGetsLost() {
        try (ThreadRuntime runtime = new ThreadRuntime(ThreadRuntimeTest::unexpected, HOUR_NANOS, HOUR_NANOS)) {
            AtomicBoolean open = new AtomicBoolean();
            CompletableFuture<Thread> thread = new CompletableFuture<>();
            CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
            runtime.fork("waiter", () -> {
                thread.complete(Thread.currentThread());
                boolean held = runtime.await(open::get, Long.MAX_VALUE);
                interrupted.complete(held && Thread.interrupted());
            });
            thread.join().interrupt();
            runtime.await(() -> false, 4 * ThreadRuntime.FINE_NANOS);
            assertThat(interrupted).isNotDone();
            open.set(true);
            runtime.signal();
            assertThat(interrupted.join()).isTrue();
        }
    }

    @Test
    void aForkRunsOnADaemonThreadOfItsName() {
        try (ThreadRuntime runtime = new ThreadRuntime()) {
            CompletableFuture<String> seen = new CompletableFuture<>();
            runtime.fork(
                    "engine",
                    () -> seen.complete(Thread.currentThread().getName()
                            + Thread.currentThread().isDaemon()));
            assertThat(seen.join()).isEqualTo("enginetrue");
        }
    }

    @Test
    void whatAForkThrowsIsReportedWithItsName() {
        CompletableFuture<String> reported = new CompletableFuture<>();
        try (ThreadRuntime runtime = new ThreadRuntime((name, cause) -> reported.complete(name + ": " + cause))) {
            runtime.fork("engine", () -> {
                throw new AssertionError("broken");
            });
            assertThat(reported.join()).isEqualTo("engine: java.lang.AssertionError: broken");
        }
    }

    @Test
    void aClosedRuntimeForksNoMoreButLetsWaitsEnd() {
        CompletableFuture<Boolean> held = new CompletableFuture<>();
        AtomicBoolean open = new AtomicBoolean();
        ThreadRuntime runtime = new ThreadRuntime();
        runtime.fork("waiter", () -> held.complete(runtime.await(open::get, Long.MAX_VALUE)));
        runtime.close();
        assertThatThrownBy(() -> runtime.fork("late", () -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage("fork 'late' of a closed runtime");
        open.set(true);
        runtime.signal();
        assertThat(held.join()).isTrue();
    }
}
