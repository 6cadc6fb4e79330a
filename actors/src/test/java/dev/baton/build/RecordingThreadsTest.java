package dev.baton.build;

import static dev.baton.build.Bench.declared;
import static dev.baton.build.Bench.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.build.BuildLatch.Cause;
import dev.baton.protocol.Role;
import dev.baton.protocol.build.Access;
import dev.baton.protocol.build.BuildSignal;
import dev.baton.protocol.driver.Task;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Several threads record into one build. */
class RecordingThreadsTest {
    private static final int THREADS = 4;

    private static void each(Bench b, java.util.function.IntConsumer body) {
        for (int t = 0; t < THREADS; t++) {
            int thread = t;
            b.runtime.fork("recorder " + t, () -> body.accept(thread));
        }
        b.runtime.join();
        assertThat(b.runtime.thrown).isEmpty();
    }

    @RepeatedTest(20)
    void writesOfManyThreadsAllArriveWhole() {
        int n = 4000;
        Bench b = new Bench(4L * n).f32(Role.INOUT, 0, n);
        BuildSession s = b.build(c -> each(b, t -> {
            for (int i = t; i < n; i += THREADS) {
                c.set(0, i, i);
                assertThat(c.get(0, i)).isEqualTo(i);
            }
        }));
        assertThat(s.cause()).isNull();
        List<DeviceWrite> writes = s.deviceWrites();
        assertThat(writes).hasSize(1);
        for (int i = 0; i < n; i++) {
            assertThat(writes.get(0).bytes().single().getFloat(4 * i)).isEqualTo(i);
        }
    }

    @RepeatedTest(20)
    void aReaderSeesAnElementBeforeOrAfterAWriteNeverHalf() {
        Bench b = new Bench(64).f32(Role.INOUT, 4, 1);
        b.device.memory.single().putInt(4, 0);
        b.build(c -> each(b, t -> {
            for (int i = 0; i < 2000; i++) {
                if (t < 2) {
                    c.write(0, 0, t == 0 ? 0x01010101L : 0x7F7F7F7FL);
                } else {
                    assertThat(((Access.Value) c.read(0, 0)).bits()).isIn(0L, 0x01010101L, 0x7F7F7F7FL);
                }
            }
        }));
    }

    @RepeatedTest(20)
    void oneFailureEndsThemAllAndIsTheCause() {
        Outcome a = new Outcome();
        Bench b = new Bench(64).f32(Role.IN, 0, 4).fence(declared("A", 1, 0, 16, a));
        AtomicInteger refused = new AtomicInteger();
        BuildSession s = b.build(c -> each(b, t -> {
            Access answer = c.read(0, t);
            if (answer instanceof Access.NotProducedYet) {
                refused.incrementAndGet();
            } else {
                assertThat(answer).isEqualTo(Access.Ended.INSTANCE);
            }
            assertThat(c.ended()).isTrue();
            assertThat(c.read(0, t)).isEqualTo(Access.Ended.INSTANCE);
        }));
        assertThat(refused.get()).isPositive();
        assertThat(s.cause()).isEqualTo(new Cause.NotProduced(run("A")));
    }

    @RepeatedTest(20)
    void valuesThatRetireMeanwhileAreReadNotTorn() {
        Outcome a = new Outcome();
        Bench b = new Bench(64).f32(Role.IN, 0, 4).fence(declared("A", 1, 0, 16, a));
        b.build(c -> each(b, t -> {
            if (t == 0) {
                b.floats(0, 1, 2, 3, 4);
                a.produced();
            } else {
                try {
                    assertThat(c.get(0, t)).isEqualTo(t + 1);
                } catch (BuildSignal early) {
                    assertThat(c.ended()).isTrue();
                }
            }
        }));
    }

    @Test
    void callsOfTheDriverNeverOverlapAndAreMadeOnAttachedThreads() {
        int n = CopiedSource.PIECE_BYTES;
        Bench b = new Bench(4L * n).f32(Role.IN, 0, n);
        b.device.hostView = false;
        b.device.threadAttach = true;
        b.device.attached.add(Thread.currentThread());
        b.device.inCall = () -> {
            for (int i = 0; i < 1000; i++) {
                Thread.onSpinWait();
            }
        };
        BuildSession s = b.build(c -> {
            c.emit(new Task("slot's", List.of(), List.of()));
            each(b, t -> {
                for (int i = 0; i < 50; i++) {
                    c.emit(new Task("t" + t + "." + i, List.of(), List.of()));
                    c.scratch(8);
                    c.get(0, (long) t * n / THREADS + i);
                }
            });
        });
        assertThat(s.cause()).isNull();
        assertThat(b.device.breaches).isEmpty();
        assertThat(b.device.calls.stream().filter("attach"::equals)).hasSize(THREADS);
        assertThat(b.device.tasks).hasSize(1 + THREADS * 50);
        assertThat(b.device.tasks.stream().map(Task::kernel).filter(k -> k.startsWith("t2.")))
                .isEqualTo(java.util.stream.IntStream.range(0, 50)
                        .mapToObj(i -> "t2." + i)
                        .toList());
    }

    @Test
    void aThreadThatIsLentToManyBuildsIsAttachedOnce() {
        Bench b = new Bench(64);
        b.device.threadAttach = true;
        b.device.attached.add(Thread.currentThread());
        BuildSession first = b.session();
        BuildSession second = b.session();
        first.run(c -> {});
        second.run(c -> c.scratch(1));
        b.runtime.fork("lent", () -> {
            b.session().scratch(1);
            b.session().scratch(1);
        });
        b.runtime.join();
        assertThat(b.device.breaches).isEmpty();
        assertThat(b.device.calls).containsExactly("scratch 1", "attach", "scratch 1", "scratch 1");
    }

    @Test
    void aThreadThatWaitsForItsTurnReturnsWhenTheAttemptEnds() {
        Bench b = new Bench(64);
        AtomicBoolean inside = new AtomicBoolean();
        AtomicBoolean go = new AtomicBoolean();
        b.device.inCall = () -> {
            inside.set(true);
            b.runtime.await(go::get, Long.MAX_VALUE);
        };
        BuildSession s = b.session();
        b.runtime.fork("first", () -> s.scratch(1));
        b.runtime.await(inside::get, Long.MAX_VALUE);
        int waits = b.runtime.waits.get();
        AtomicInteger returned = new AtomicInteger();
        b.runtime.fork("second", () -> {
            s.emit(new Task("k", List.of(), List.of()));
            returned.incrementAndGet();
        });
        b.runtime.await(() -> b.runtime.waits.get() > waits + 1, Long.MAX_VALUE);
        s.fail("over");
        b.runtime.await(() -> returned.get() == 1, Long.MAX_VALUE);
        go.set(true);
        b.runtime.join();
        assertThat(b.runtime.thrown).isEmpty();
        assertThat(b.device.calls).containsExactly("scratch 1");
    }
}
