package dev.baton.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The threads that Baton's dispatchers give to actors. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OneThreadExecutorTest {
    private static final int TASKS = 20_000;

    @ParameterizedTest
    @ValueSource(longs = {0, 1_000, 1_000_000})
    void whatManyThreadsGiveIsDoneOnceEachOnOneDaemonThreadInTheirOrder(long spinNanos) throws Exception {
        OneThreadExecutor executor = new OneThreadExecutor(Thread::new, spinNanos);
        List<List<Integer>> done = List.of(new ArrayList<>(), new ArrayList<>());
        Set<Thread> by = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(2 * TASKS);
        List<Thread> givers = new ArrayList<>();
        for (List<Integer> mine : done) {
            Thread giver = new Thread(() -> {
                for (int i = 0; i < TASKS; i++) {
                    int task = i;
                    executor.execute(() -> {
                        mine.add(task);
                        by.add(Thread.currentThread());
                        all.countDown();
                    });
                }
            });
            givers.add(giver);
            giver.start();
        }
        all.await();
        for (Thread giver : givers) {
            giver.join();
        }
        assertThat(by).singleElement().matches(Thread::isDaemon);
        for (List<Integer> mine : done) {
            assertThat(mine).hasSize(TASKS).isSorted();
        }
        executor.shutdown();
        assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void aSleepingThreadIsWokenEveryTime() throws Exception {
        OneThreadExecutor executor = new OneThreadExecutor(Thread::new, 0);
        for (int i = 0; i < 2_000; i++) {
            // one at a time, so that the thread sleeps between them
            executor.submit(() -> {}).get(1, TimeUnit.MINUTES);
        }
        executor.shutdown();
        assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void shutdownDoesWhatWasTakenAndTakesNoMore() throws Exception {
        OneThreadExecutor executor = new OneThreadExecutor(Thread::new, 0);
        CountDownLatch go = new CountDownLatch(1);
        List<String> done = new ArrayList<>();
        executor.execute(() -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                done.add("interrupted");
            }
        });
        executor.execute(() -> done.add("taken"));
        executor.shutdown();
        assertThatThrownBy(() -> executor.execute(() -> done.add("late")))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("shut down");
        go.countDown();
        assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(executor.isTerminated()).isTrue();
        assertThat(done).containsExactly("taken");
    }

    @Test
    void shutdownNowGivesBackWhatWasNotBegun() throws Exception {
        OneThreadExecutor executor = new OneThreadExecutor(Thread::new, 0);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        executor.execute(() -> {
            begun.countDown();
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        begun.await();
        Runnable left = () -> {};
        executor.execute(left);
        assertThat(executor.shutdownNow()).containsExactly(left);
        assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void aTaskThatThrowsIsToldAndTheNextIsDone() throws Exception {
        BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
        OneThreadExecutor executor = new OneThreadExecutor(
                body -> {
                    Thread thread = new Thread(body);
                    thread.setUncaughtExceptionHandler((t, cause) -> told.add(cause));
                    return thread;
                },
                0);
        executor.execute(() -> {
            throw new AssertionError("broken");
        });
        assertThat(executor.submit(() -> "done").get(1, TimeUnit.MINUTES)).isEqualTo("done");
        assertThat(told).singleElement().matches(t -> "broken".equals(t.getMessage()));
        executor.shutdown();
    }

    /** Tells its thread, or dies and is restarted. */
    private static Behavior<String> worker(BlockingQueue<Thread> threads) {
        return Behaviors.supervise(Behaviors.<String>receiveMessage(m -> {
                    threads.add(Thread.currentThread());
                    if (m.equals("die")) {
                        throw new IllegalStateException("as asked");
                    }
                    return Behaviors.same();
                }))
                .onFailure(SupervisorStrategy.restart());
    }

    @Test
    void eachBlockingActorKeepsAThreadOfItsOwnRestartsIncluded() throws Exception {
        Config quiet = ConfigFactory.parseString("pekko { loglevel = OFF, jvm-shutdown-hooks = off }");
        ActorSystem<Void> system =
                ActorSystem.create(Behaviors.empty(), "threads", quiet.withFallback(ConfigFactory.load()));
        try {
            Props own = Props.empty().withNext(DispatcherSelector.fromConfig("baton.blocking-dispatcher"));
            BlockingQueue<Thread> first = new LinkedBlockingQueue<>();
            BlockingQueue<Thread> second = new LinkedBlockingQueue<>();
            ActorRef<String> a = system.systemActorOf(worker(first), "a", own);
            ActorRef<String> b = system.systemActorOf(worker(second), "b", own);
            Set<Thread> ofA = ConcurrentHashMap.newKeySet();
            for (String m : List.of("work", "die", "work")) {
                a.tell(m);
                ofA.add(first.take());
            }
            b.tell("work");
            assertThat(ofA).hasSize(1).doesNotContain(second.take()).allMatch(Thread::isDaemon);
        } finally {
            system.terminate();
            system.getWhenTerminated()
                    .toCompletableFuture()
                    .get(Duration.ofMinutes(1).toSeconds(), TimeUnit.SECONDS);
        }
    }
}
