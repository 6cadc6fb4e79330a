package dev.baton.testkit.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

/** Two races of the kind that the runtime is for: found by trying seeds, replayed from a number. */
class RacesTest {
    private static final int SEEDS = 200;

    interface Message {}

    record Get(ActorRef<Message> replyTo) implements Message {}

    record Put(int value) implements Message {}

    record Value(int value) implements Message {}

    enum Add implements Message {
        ONE
    }

    enum Expired implements Message {
        INSTANCE
    }

    /** Holds a number. */
    private static Behavior<Message> cell(AtomicInteger shown, int value) {
        return Behaviors.receive(Message.class)
                .onMessage(Get.class, get -> {
                    get.replyTo().tell(new Value(value));
                    return Behaviors.same();
                })
                .onMessage(Put.class, put -> {
                    shown.set(put.value());
                    return cell(shown, put.value());
                })
                .build();
    }

    /** Reads, adds one, writes: wrong if another does so in between. */
    private static Behavior<Message> adder(ActorRef<Message> cell) {
        return Behaviors.setup(ctx -> Behaviors.receive(Message.class)
                .onMessage(Add.class, add -> {
                    cell.tell(new Get(ctx.getSelf()));
                    return Behaviors.same();
                })
                .onMessage(Value.class, read -> {
                    cell.tell(new Put(read.value() + 1));
                    return Behaviors.stopped();
                })
                .build());
    }

    private static int sumOfTwoAdders(long seed) {
        try (DeterministicRuntime runtime = new DeterministicRuntime(seed, RuntimeOptions.DEFAULT)) {
            AtomicInteger shown = new AtomicInteger();
            ActorSystem<Message> system = runtime.system(
                    Behaviors.setup(ctx -> {
                        ActorRef<Message> cell = ctx.spawn(cell(shown, 0), "cell");
                        return Behaviors.receive(Message.class)
                                .onMessage(Add.class, add -> {
                                    ctx.spawn(adder(cell), "one").tell(Add.ONE);
                                    ctx.spawn(adder(cell), "two").tell(Add.ONE);
                                    return Behaviors.same();
                                })
                                .build();
                    }),
                    "race",
                    ConfigFactory.empty());
            system.tell(Add.ONE);
            runtime.runUntilIdle();
            runtime.assertNoForeignThreads();
            int sum = shown.get();
            runtime.terminate(system);
            return sum;
        }
    }

    @Test
    void aLostUpdateIsFoundAndReplayedByItsSeed() {
        int lost = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            int sum = sumOfTwoAdders(seed);
            if (sum == 1) {
                lost++;
                assertThat(sumOfTwoAdders(seed)).as("seed %d again", seed).isEqualTo(1);
            }
        }
        assertThat(lost).as("seeds that lose an update, of %d", SEEDS).isBetween(1, SEEDS - 1);
    }

    /** Answers after a few hops. */
    private static Behavior<Message> slow(int hops) {
        return Behaviors.setup(ctx -> {
            ActorRef<Message> next = hops == 0 ? null : ctx.spawn(slow(hops - 1), "next");
            return Behaviors.receive(Message.class)
                    .onMessage(Get.class, get -> {
                        if (next == null) {
                            get.replyTo().tell(new Value(1));
                        } else {
                            next.tell(get);
                        }
                        return Behaviors.same();
                    })
                    .build();
        });
    }

    /** Frees when the answer comes and when time is up: twice if it comes too late. */
    private static Behavior<Message> client(ActorRef<Message> slow, AtomicInteger freed) {
        return Behaviors.withTimers(timers -> Behaviors.setup(ctx -> Behaviors.receive(Message.class)
                .onMessage(Add.class, add -> {
                    timers.startSingleTimer(Expired.INSTANCE, Duration.ofMillis(20));
                    slow.tell(new Get(ctx.getSelf()));
                    return Behaviors.same();
                })
                .onMessage(Value.class, value -> {
                    timers.cancel(Expired.INSTANCE);
                    freed.incrementAndGet();
                    return Behaviors.same();
                })
                .onMessage(Expired.class, expired -> {
                    freed.incrementAndGet();
                    return Behaviors.same();
                })
                .build()));
    }

    private static int doubleFrees(RuntimeOptions options) {
        int doubles = 0;
        try (DeterministicRuntime runtime = new DeterministicRuntime(0, options)) {
            AtomicInteger freed = new AtomicInteger();
            ActorSystem<Message> system = runtime.system(
                    Behaviors.setup(ctx -> {
                        ActorRef<Message> slow = ctx.spawn(slow(5), "slow");
                        return Behaviors.receive(Message.class)
                                .onMessage(Add.class, add -> {
                                    ctx.spawnAnonymous(client(slow, freed)).tell(add);
                                    return Behaviors.same();
                                })
                                .build();
                    }),
                    "race",
                    ConfigFactory.empty());
            for (int seed = 0; seed < SEEDS; seed++) {
                runtime.newProgram(seed);
                freed.set(0);
                system.tell(Add.ONE);
                runtime.advance(Duration.ofSeconds(1));
                assertThat(freed.get()).isBetween(1, 2);
                doubles += freed.get() == 2 ? 1 : 0;
            }
            runtime.terminate(system);
        }
        return doubles;
    }

    @Test
    void aTimeoutThatRacesWithAnAnswerIsFoundByEarlyTimersOnly() {
        assertThat(doubleFrees(RuntimeOptions.DEFAULT)).isZero();
        assertThat(doubleFrees(RuntimeOptions.DEFAULT.withEarlyTimers(0.1))).isBetween(SEEDS / 10, SEEDS - 1);
        assertThat(doubleFrees(RuntimeOptions.DEFAULT.withEarlyTimers(0.1).withHorizon(Duration.ofMillis(19))))
                .as("beyond the horizon")
                .isZero();
    }
}
