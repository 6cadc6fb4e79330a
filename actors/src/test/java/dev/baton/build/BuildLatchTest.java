package dev.baton.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.build.BuildLatch.Cause;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BuildLatchTest {
    @Test
    void holdsTheFirstCauseForEver() {
        BuildLatch latch = new BuildLatch();
        assertThat(latch.cause()).isNull();
        Cause first = new Cause.NotProduced(Bench.run("A"));
        assertThat(latch.latch(first)).isTrue();
        assertThat(latch.latch(new Cause.Own("late", null))).isFalse();
        assertThat(latch.latch(first)).isFalse();
        assertThat(latch.cause()).isSameAs(first);
    }

    @Test
    void ofManyThreadsOneWins() {
        for (int round = 0; round < 200; round++) {
            BuildLatch latch = new BuildLatch();
            SpinRuntime runtime = new SpinRuntime();
            AtomicInteger winners = new AtomicInteger();
            for (Cause cause : List.of(
                    new Cause.Own("a", null), new Cause.NotCovered("b"), new Cause.NotProduced(Bench.run("C")))) {
                runtime.fork("latcher", () -> {
                    if (latch.latch(cause)) {
                        winners.incrementAndGet();
                        assertThat(latch.cause()).isSameAs(cause);
                    }
                });
            }
            runtime.join();
            assertThat(runtime.thrown).isEmpty();
            assertThat(winners).hasValue(1);
        }
    }

    @Test
    void aThrownCauseTellsItsClassAndItsMessage() {
        assertThat(Cause.Own.of(new IllegalStateException("no")).message()).isEqualTo("IllegalStateException: no");
        assertThat(Cause.Own.of(new StackOverflowError()).message()).isEqualTo("StackOverflowError");
    }
}
