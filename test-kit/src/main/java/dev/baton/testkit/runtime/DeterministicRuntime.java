package dev.baton.testkit.runtime;

import com.typesafe.config.Config;
import dev.baton.protocol.driver.DeviceRuntime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;

/**
 * Runs whole Pekko Typed systems one step at a time: a seed chooses what goes on next, time is virtual, and code that blocks stands
 * on threads of the runtime, of which exactly one runs at any moment. The same seed does the same again, on any machine.
 *
 * <p>A <em>step</em> is one message of an actor, one callback, or a forked body up to its next wait. A <em>wait</em> is a call of
 * {@link #await} by code that may block: a {@link #fork forked} body, or an actor on a dispatcher with the {@link
 * BlockingExecutorConfigurator}. It can go on when its condition holds or its limit has passed. Everything that can go on is a
 * candidate for the seed's choice; waits can be released in any order. The system is at <em>rest</em> when there is no candidate.
 *
 * <p>Virtual time passes only when the test says so ({@link #advance}, {@link #runUntil}, a wait of the test's own), and with early
 * timers: then, while work is ready, the next timer within a horizon may come first, as the seed chooses.
 *
 * <p>The thread that makes the runtime owns it, and is the only one that may call the methods for tests, but in {@link #drive}'s
 * hook. Whatever else takes part must do so on the runtime's threads; {@link #assertNoForeignThreads} tells whether it did. What
 * can't replay: {@code ActorContext.ask} from Java and other callbacks on the JDK's common pool, back-off with a random factor,
 * {@code throttle} of streams, the real clock, the order of hashed collections of actors.
 *
 * <p>Many programs can share one system, each replaying alone: {@link #newProgram(long)}.
 */
public final class DeterministicRuntime implements DeviceRuntime, AutoCloseable {
    /** What a test's own wait without limit waits at most, in virtual time. */
    static final Duration LONGEST_WAIT = Duration.ofHours(1);

    private static final AtomicLong LAST_ID = new AtomicLong();

    private final Failures failures = new Failures();
    private final Labels labels = new Labels();
    private final Program program;
    private final Agenda agenda;
    private final StepLoop loop;
    private final StepExecutor executor;
    private final Systems systems;
    private int started;

    /** A runtime owned by the calling thread, whose first program has that seed. */
    public DeterministicRuntime(long seed, RuntimeOptions options) {
        String id = "deterministic-" + LAST_ID.incrementAndGet();
        this.program = new Program(seed, options);
        this.agenda = new Agenda(program);
        this.loop = new StepLoop(id, agenda, failures, options.stuckAfter());
        this.executor = new StepExecutor(id, agenda, loop, labels, failures);
        this.systems = new Systems(executor, loop, program);
    }

    // ---- systems and programs

    /**
     * Makes a system all of whose dispatchers run here, and brings it to rest; with the first one a program begins. Start-up, the
     * guardian's own setup included, runs in order, without early timers, and is not part of the trace.
     *
     * @param extra goes before the runtime's own settings, for example blocking dispatchers or {@code pekko.loglevel}
     */
    public <T> ActorSystem<T> system(Behavior<T> guardian, String name, Config extra) {
        requireTestCode("system");
        ActorSystem<T> system = systems.start(guardian, name, extra);
        if (started++ == 0) {
            begin(program.seed(), "", program.early());
        } else {
            labels.tellSystemsApart();
        }
        return system;
    }

    /** Ends a system and waits for its end, in order and outside the trace. */
    public void terminate(ActorSystem<?> system) {
        requireTestCode("terminate");
        systems.end(system);
    }

    /** Begins a program: as {@link #newProgram(long, String, boolean)}, with no prefix, and early timers as they are. */
    public void newProgram(long seed) {
        newProgram(seed, "", program.early());
    }

    /**
     * Begins another program in the same systems. Choices, the trace, uncaught failures, numbers in labels and {@link #now} begin
     * anew, so that the program does the same here as alone in fresh systems, provided that what lives on is in the same state.
     *
     * @param pathPrefix start of the paths of this program's actors, left out of labels
     * @param earlyTimers whether timers may come early, with the probability of the options
     */
    public void newProgram(long seed, String pathPrefix, boolean earlyTimers) {
        if (!Agenda.inHook(loop.mine())) {
            requireTestCode("newProgram");
            systems.settle();
        } else if (!agenda.atRest()) {
            throw new IllegalStateException("newProgram, but something is ready");
        }
        failures.forgetUncaught();
        begin(seed, pathPrefix, earlyTimers);
    }

    private void begin(long seed, String pathPrefix, boolean earlyTimers) {
        program.begin(seed, earlyTimers);
        labels.begin(pathPrefix);
        agenda.clock().beginProgram();
    }

    /** Ends all waits by throwing {@link RuntimeClosed} out of them, and all threads. Systems that still live do nothing more. */
    @Override
    public void close() {
        if (executor.close()) {
            requireTestCode("close");
            loop.close();
        }
    }

    // ---- running

    /** Runs until nothing can go on. Time stands still, unless timers come early. */
    public void runUntilIdle() {
        requireTestCode("runUntilIdle");
        systems.rest(Agenda.NEVER_HOLDS, 0, null);
    }

    /** Lets so much virtual time pass, coming to rest at every point of time at which something is due. */
    public void advance(Duration by) {
        requireTestCode("advance");
        systems.rest(Agenda.NEVER_HOLDS, by.toNanos(), null);
    }

    /**
     * Runs until the condition holds, which is asked before every step; lets time pass, at most so much, whenever nothing else can go
     * on. Tells whether the condition holds.
     */
    public boolean runUntil(BooleanSupplier condition, Duration maxVirtual) {
        requireTestCode("runUntil");
        return systems.rest(condition, maxVirtual.toNanos(), null);
    }

    /**
     * Runs, and calls the hook at every rest, until it says false. It is called on whichever thread comes to rest, so that a test that
     * tells an actor something whenever the system is at rest costs no hand-offs. It must not wait; it may call {@link #elapse},
     * {@link #newProgram(long)} and {@link #injectFailure}. What it throws ends this call.
     */
    public void drive(Supplier<Boolean> atRest) {
        requireTestCode("drive");
        systems.rest(Agenda.NEVER_HOLDS, 0, atRest);
    }

    /** In {@link #drive}'s hook: so much virtual time passes before the hook is called again. */
    public void elapse(Duration by) {
        if (!Agenda.inHook(loop.mine())) {
            throw new IllegalStateException("elapse is for the hook of drive; elsewhere advance");
        }
        agenda.elapse(by.toNanos());
    }

    private void requireTestCode(String what) {
        if (!loop.isTestCode()) {
            throw new IllegalStateException(
                    what + " is for the test's own code, on the thread that made the runtime; this is "
                            + Thread.currentThread().getName());
        }
    }

    // ---- what drivers and builds use

    /**
     * {@inheritDoc}
     *
     * <p>A point of choice: others may go on first even if the condition holds. In the test's own code it is {@link #runUntil}.
     */
    @Override
    public boolean await(BooleanSupplier condition, long limitNanos) {
        if (loop.closed()) {
            throw new RuntimeClosed();
        }
        Seat me = loop.mine();
        if (me == null) {
            failures.foreign("waits");
            throw new IllegalStateException("a wait needs a thread of this runtime; this is "
                    + Thread.currentThread().getName());
        }
        if (me.current != null) {
            return loop.await(me, me.current, condition, limitNanos);
        }
        if (limitNanos <= 0) {
            return condition.getAsBoolean();
        }
        boolean held = systems.rest(condition, Math.min(limitNanos, LONGEST_WAIT.toNanos()), null);
        if (!held && limitNanos > LONGEST_WAIT.toNanos()) {
            throw new IllegalStateException("waited " + LONGEST_WAIT + " of virtual time in vain; waits that stand: "
                    + loop.standing() + ", seed " + program.seed());
        }
        return held;
    }

    /** Does nothing: conditions are asked before every step. */
    @Override
    public void signal() {}

    /** Virtual time since the program began; what lives longer than a program must not compare it. */
    @Override
    public long nanoTime() {
        return agenda.clock().nowNanos();
    }

    @Override
    public void fork(String name, Runnable body) {
        executor.fork(name, body);
    }

    /** Runs bodies as steps that never wait: for a test's own callbacks of futures. */
    public Executor executor() {
        return executor;
    }

    // ---- scripting and looking; in the test's own code or on threads of the runtime

    /**
     * Makes a wait whose label fits throw, whatever its condition says, when it is next chosen: the first one by label that does not
     * yet. Tells whether there was one. A wait's label is the path of the actor, or the name of the fork, that stands in it.
     */
    public boolean injectFailure(Predicate<String> label, Supplier<? extends RuntimeException> failure) {
        return agenda.waits().inject(label, failure);
    }

    /** The labels of the waits that stand now, sorted. */
    public List<String> suspended() {
        return loop.standing();
    }

    /** How many timers and limits of waits are still to come: what one program may leave to the next. */
    public int pendingTimers() {
        return agenda.clock().pending();
    }

    /** Virtual time since the program began. */
    public Duration now() {
        return Duration.ofNanos(nanoTime());
    }

    /** The seed of the program. */
    public long seed() {
        return program.seed();
    }

    /**
     * What the program did: labels of steps, {@code +label} for a wait that went on, {@code !label} for one that was made to throw,
     * {@code @ns} for time that moved. All of it if the options ask for it, else the last {@value Trace#TAIL}.
     */
    public List<String> trace() {
        return program.trace().entries();
    }

    /** A hash of all that the program did. */
    public long traceHash() {
        return program.trace().hash();
    }

    /** How many steps the program has taken. */
    public long steps() {
        return program.steps();
    }

    /** How often a thread has handed the turn to another since the runtime was made. */
    public long handOffs() {
        return loop.handOffs();
    }

    /** What steps of the program threw that nobody caught; the first {@value Failures#MOST}. */
    public List<Throwable> failures() {
        return failures.uncaught();
    }

    /** Threads unknown to this runtime that took part, and what each did first. */
    public List<String> foreignThreads() {
        return failures.foreign();
    }

    /** Fails if a thread unknown to this runtime took part: then nothing is sure to replay. */
    public void assertNoForeignThreads() {
        if (!foreignThreads().isEmpty()) {
            throw new AssertionError("threads unknown to the runtime took part: " + foreignThreads());
        }
    }
}
