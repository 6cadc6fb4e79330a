package dev.baton.testkit.runtime;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;

/**
 * A small system that does a bit of everything that must replay: timers, requests by tell, streams, death watch, anonymous actors,
 * forks, and blocking code of which three calls are held and released as the seed has it.
 */
final class Theatre {
    static final Config BLOCKING = ConfigFactory.parseString("""
            test-blocking {
              type = Dispatcher
              executor = "dev.baton.testkit.runtime.BlockingExecutorConfigurator"
              throughput = 1
            }
            """);

    /** The same with a thread for each actor. */
    static final Config PINNED =
            ConfigFactory.parseString("test-blocking.pinned = on").withFallback(BLOCKING);

    static final int CALLS = 3;

    /** What the actors of one program say, in the order in which it arrives. */
    static final class Diary {
        final List<String> lines = new ArrayList<>();
        final boolean[] open = new boolean[CALLS];
        int answered;

        void add(String line) {
            lines.add(line);
        }
    }

    interface Message {}

    record Begin(Diary diary) implements Message {}

    record Ask(int number, ActorRef<Message> replyTo) implements Message {}

    record Answer(int number, String from) implements Message {}

    record Tick(int number) implements Message {}

    record Streamed(int value) implements Message {}

    record Call(int number, ActorRef<Message> replyTo) implements Message {}

    enum Stop implements Message {
        INSTANCE
    }

    private Theatre() {}

    /** A guardian that plays each program in an actor of its own, which ends with it. */
    static Behavior<Message> guardian(DeterministicRuntime runtime) {
        return Behaviors.setup(ctx -> Behaviors.receive(Message.class)
                .onMessage(Begin.class, begin -> {
                    ctx.spawnAnonymous(play(runtime, begin.diary())).tell(begin);
                    return Behaviors.same();
                })
                .build());
    }

    private static Behavior<Message> play(DeterministicRuntime runtime, Diary diary) {
        return Behaviors.withTimers(timers -> Behaviors.setup(ctx -> {
            ActorRef<Message> self = ctx.getSelf();
            ActorRef<Message> echo = ctx.spawnAnonymous(echo("echo"));
            ActorRef<Message> other = ctx.spawn(echo("other"), "other");
            ctx.watch(other);
            List<ActorRef<Message>> callers = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                callers.add(ctx.spawn(
                        caller(runtime, diary), "caller-" + i, DispatcherSelector.fromConfig("test-blocking")));
            }
            return Behaviors.receive(Message.class)
                    .onMessage(Begin.class, m -> {
                        timers.startTimerAtFixedRate("tick", new Tick(0), Duration.ofMillis(10));
                        timers.startSingleTimer("late", new Tick(1), Duration.ofMillis(35));
                        for (int i = 0; i < 4; i++) {
                            echo.tell(new Ask(i, self));
                            other.tell(new Ask(i, self));
                        }
                        other.tell(Stop.INSTANCE);
                        if (System.getProperty("nostream") == null)
                            Source.range(1, 4)
                                    .async()
                                    .merge(Source.from(Arrays.asList(10, 20, 30))
                                            .async())
                                    .runWith(Sink.foreach(v -> self.tell(new Streamed(v))), ctx.getSystem());
                        for (int i = 0; i < CALLS; i++) {
                            callers.get(i).tell(new Call(i, self));
                        }
                        runtime.fork("opener", () -> {
                            for (int i = CALLS - 1; i >= 0; i--) {
                                runtime.await(() -> false, Duration.ofMillis(5).toNanos());
                                diary.open[i] = true;
                            }
                        });
                        return Behaviors.same();
                    })
                    .onMessage(Answer.class, m -> {
                        diary.add(m.from() + " " + m.number());
                        diary.answered++;
                        return Behaviors.same();
                    })
                    .onMessage(Tick.class, m -> {
                        diary.add("tick " + m.number() + " at " + runtime.now().toMillis());
                        return m.number() == 1 ? Behaviors.stopped() : Behaviors.same();
                    })
                    .onMessage(Streamed.class, m -> {
                        diary.add("streamed " + m.value());
                        return Behaviors.same();
                    })
                    .onSignal(org.apache.pekko.actor.typed.Terminated.class, t -> {
                        diary.add("ended " + t.getRef().path().name());
                        return Behaviors.same();
                    })
                    .build();
        }));
    }

    private static Behavior<Message> echo(String name) {
        return Behaviors.receive(Message.class)
                .onMessage(Ask.class, ask -> {
                    ask.replyTo().tell(new Answer(ask.number(), name));
                    return Behaviors.same();
                })
                .onMessage(Stop.class, stop -> Behaviors.stopped())
                .build();
    }

    private static Behavior<Message> caller(DeterministicRuntime runtime, Diary diary) {
        return Behaviors.receive(Message.class)
                .onMessage(Call.class, call -> {
                    runtime.await(() -> diary.open[call.number()], Long.MAX_VALUE);
                    diary.add("returned " + call.number());
                    call.replyTo().tell(new Answer(call.number(), "call"));
                    return Behaviors.same();
                })
                .build();
    }

    /** Plays one program to its end in a system that may have played others. */
    static Diary play(DeterministicRuntime runtime, ActorSystem<Message> system) {
        Diary diary = new Diary();
        system.tell(new Begin(diary));
        runtime.advance(Duration.ofMillis(60));
        return diary;
    }
}
