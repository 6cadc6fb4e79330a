package dev.baton.testkit.runtime;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.baton.protocol.driver.DeviceRuntime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.dispatch.Mailbox;
import org.jspecify.annotations.Nullable;
import scala.concurrent.ExecutionContext;
import scala.concurrent.ExecutionContextExecutor;

/**
 * Runs whole Pekko Typed systems one step at a time: a seed chooses which ready step is next, time is virtual, and code that blocks
 * stands on threads of its own of which exactly one may run at any moment.
 *
 * <p>The loop migrates: a thread that waits goes on running steps that never block, nested on its own stack, and hands the turn to
 * another thread only for a step that may block or for a wait that can go on. Waits can therefore be released in any order, and a
 * step without blocking costs no thread switch.
 */
public final class DeterministicRuntime implements DeviceRuntime, ExecutionContextExecutor, AutoCloseable {
    static final String ID_PATH = "baton.testkit.runtime-id";

    /** Most steps without coming to rest; beyond it something runs in circles. */
    static final int MAX_STEPS_TO_REST = 2_000_000;

    /** Most threads that may stand in waits at once. */
    static final int MAX_THREADS = 256;

    private static final Map<String, DeterministicRuntime> BY_ID = new ConcurrentHashMap<>();
    private static final AtomicLong LAST_ID = new AtomicLong();

    /** A step that is ready. */
    private record Task(String label, long seq, Runnable body, boolean mayBlock) {}

    /** A thread that stands in a wait. */
    private static final class Wait {
        final String label;
        final long seq;
        final BooleanSupplier condition;
        final long deadlineNanos;
        final Thread thread;

        @Nullable
        RuntimeException failure;

        Wait(String label, long seq, BooleanSupplier condition, long deadlineNanos, Thread thread) {
            this.label = label;
            this.seq = seq;
            this.condition = condition;
            this.deadlineNanos = deadlineNanos;
            this.thread = thread;
        }
    }

    /** A thread of the runtime. */
    private final class Worker extends Thread {
        @Nullable
        Task task;

        Worker(int number) {
            super("deterministic-" + number);
            setDaemon(true);
        }

        @Override
        public void run() {
            while (true) {
                turn.awaitMine();
                if (stopping) {
                    turn.give(main);
                    return;
                }
                Task first = task;
                task = null;
                if (first != null) {
                    perform(first);
                }
                loop(null, true);
            }
        }
    }

    private final String id = "runtime-" + LAST_ID.incrementAndGet();
    private final Thread main = Thread.currentThread();
    private final Turn turn = new Turn(main);
    private final RuntimeOptions options;
    private final Trace trace;
    private final VirtualTimers timers = new VirtualTimers();
    private final List<Task> ready = new ArrayList<>();
    private final List<Wait> waits = new ArrayList<>();
    private final Deque<Worker> free = new ArrayDeque<>();
    private final List<Worker> workers = new ArrayList<>();
    private final ConcurrentLinkedQueue<Task> fromForeign = new ConcurrentLinkedQueue<>();
    private final List<String> foreign = Collections.synchronizedList(new ArrayList<>());
    private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    private final Map<Mailbox, String> labels = new IdentityHashMap<>();
    private final Map<Thread, String> current = new ConcurrentHashMap<>();
    private Random random;
    private long seed;
    private String prefix = "";
    private boolean chaos;
    private boolean early;
    private volatile long nowNanos;
    private long seq;
    private long steps;
    private long stepsSinceRest;
    private volatile boolean stopping;

    public DeterministicRuntime(long seed, RuntimeOptions options) {
        this.seed = seed;
        this.options = options;
        this.random = new Random(seed);
        this.trace = new Trace(options.recordTrace());
        this.early = options.earlyTimers() > 0;
        BY_ID.put(id, this);
    }

    static DeterministicRuntime byId(String id) {
        DeterministicRuntime r = BY_ID.get(id);
        if (r == null) {
            throw new IllegalStateException("no deterministic runtime " + id);
        }
        return r;
    }

    // ---- tasks

    @Override
    public void execute(Runnable body) {
        enqueue(body, false);
    }

    void enqueue(Runnable body, boolean mayBlock) {
        if (!turn.mine()) {
            foreign.add(
                    Thread.currentThread().getName() + " -> " + body.getClass().getName());
            fromForeign.add(new Task("foreign", Long.MAX_VALUE, body, mayBlock));
            return;
        }
        ready.add(new Task(label(body), ++seq, body, mayBlock));
    }

    private String label(Runnable body) {
        if (!(body instanceof Mailbox m)) {
            return "task";
        }
        return labels.computeIfAbsent(m, x -> {
            String path = x.actor().self().path().toStringWithoutAddress();
            if (path.startsWith("/system/")) {
                return path.replaceAll("\\d+", "N");
            }
            return !prefix.isEmpty() && path.startsWith(prefix) ? path.substring(prefix.length()) : path;
        });
    }

    @Override
    public void reportFailure(Throwable cause) {
        failures.add(cause);
    }

    @Override
    public void fork(String name, Runnable body) {
        if (!turn.mine()) {
            foreign.add(Thread.currentThread().getName() + " forks " + name);
        }
        ready.add(new Task(name, ++seq, body, true));
    }

    // ---- waits

    @Override
    public boolean await(BooleanSupplier condition, long limitNanos) {
        if (stopping) {
            throw new RuntimeClosed();
        }
        if (condition.getAsBoolean()) {
            return true;
        }
        if (limitNanos <= 0) {
            return false;
        }
        long deadline = limitNanos > Long.MAX_VALUE - nowNanos ? Long.MAX_VALUE : nowNanos + limitNanos;
        String label = current.getOrDefault(Thread.currentThread(), "main");
        Wait own = new Wait(label, ++seq, condition, deadline, Thread.currentThread());
        waits.add(own);
        loop(own, false);
        waits.remove(own);
        RuntimeException failure = own.failure;
        if (failure != null) {
            throw failure;
        }
        return condition.getAsBoolean();
    }

    @Override
    public void signal() {
        // conditions are asked at every step
    }

    @Override
    public long nanoTime() {
        return nowNanos;
    }

    private boolean canGoOn(Wait w) {
        return w.failure != null || w.deadlineNanos <= nowNanos || w.condition.getAsBoolean();
    }

    /** A wait for rest: goes on only when nothing else can. */
    private static final BooleanSupplier REST = () -> false;

    private static boolean isRest(Wait w) {
        return w.condition == REST;
    }

    // ---- the loop

    /**
     * Runs steps until {@code own} can go on; without an own wait, for ever, parking as a free worker when the turn goes elsewhere.
     *
     * @param clean whether this thread may run steps that block
     */
    private void loop(@Nullable Wait own, boolean clean) {
        while (true) {
            takeForeign();
            if (fireEarly()) {
                continue;
            }
            List<Wait> able = able();
            int choices = ready.size() + able.size();
            if (choices == 0) {
                Wait rest = restWait();
                if (rest == null) {
                    throw new IllegalStateException("nobody waits for rest, seed " + seed);
                }
                if (rest == own) {
                    return;
                }
                handTo(rest.thread, own);
                if (own != null || stopping) {
                    return;
                }
                ownTask();
                continue;
            }
            steps++;
            if (++stepsSinceRest > MAX_STEPS_TO_REST) {
                throw new IllegalStateException(
                        "no rest after " + MAX_STEPS_TO_REST + " steps, seed " + seed + ", last " + trace.labels());
            }
            ready.sort(Comparator.comparing(Task::label).thenComparingLong(Task::seq));
            int pick = chaos && choices > 1 ? random.nextInt(choices) : 0;
            if (pick >= ready.size()) {
                Wait w = able.get(pick - ready.size());
                trace.add("+" + w.label);
                if (w == own) {
                    return;
                }
                handTo(w.thread, own);
            } else {
                Task t = ready.remove(pick);
                trace.add(t.label);
                if (!t.mayBlock || clean) {
                    perform(t);
                    continue;
                }
                Worker worker = worker();
                worker.task = t;
                handTo(worker, own);
            }
            if (own != null || stopping) {
                return;
            }
            ownTask();
        }
    }

    /** A free worker that got the turn with a task runs it first. */
    private void ownTask() {
        if (Thread.currentThread() instanceof Worker w) {
            Task t = w.task;
            w.task = null;
            if (t != null) {
                perform(t);
            }
        }
    }

    /** Gives the turn away and comes back when it is given to this thread again. */
    private void handTo(Thread to, @Nullable Wait own) {
        if (own == null && Thread.currentThread() instanceof Worker w) {
            free.push(w);
        }
        turn.give(to);
        turn.awaitMine();
    }

    private Worker worker() {
        Worker w = free.poll();
        if (w != null) {
            return w;
        }
        if (workers.size() >= MAX_THREADS) {
            throw new IllegalStateException(
                    workers.size() + " threads stand in waits (MAX_THREADS), seed " + seed + ": " + suspended());
        }
        Worker fresh = new Worker(workers.size());
        workers.add(fresh);
        fresh.start();
        return fresh;
    }

    private List<Wait> able() {
        if (waits.isEmpty()) {
            return List.of();
        }
        List<Wait> able = new ArrayList<>(waits.size());
        for (Wait w : waits) {
            if (!isRest(w) && canGoOn(w)) {
                able.add(w);
            }
        }
        if (able.size() > 1) {
            able.sort(Comparator.<Wait, String>comparing(w -> w.label).thenComparingLong(w -> w.seq));
        }
        return able;
    }

    private @Nullable Wait restWait() {
        for (int i = waits.size() - 1; i >= 0; i--) {
            if (isRest(waits.get(i))) {
                return waits.get(i);
            }
        }
        return null;
    }

    private void perform(Task t) {
        Thread me = Thread.currentThread();
        String before = current.put(me, t.label);
        try {
            t.body.run();
        } catch (RuntimeClosed closed) {
            // a wait that stood when the runtime was closed
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            failures.add(e);
        } finally {
            if (before == null) {
                current.remove(me);
            } else {
                current.put(me, before);
            }
        }
    }

    private void takeForeign() {
        for (Task t = fromForeign.poll(); t != null; t = fromForeign.poll()) {
            ready.add(new Task(t.label, ++seq, t.body, t.mayBlock));
        }
    }

    private boolean fireEarly() {
        if (!chaos || !early || ready.isEmpty()) {
            return false;
        }
        Long due = nextDue();
        if (due == null
                || due - nowNanos > options.horizon().toNanos()
                || random.nextDouble() >= options.earlyTimers()) {
            return false;
        }
        fireUntil(due);
        return true;
    }

    private @Nullable Long nextDue() {
        Long due = timers.nextDue();
        for (Wait w : waits) {
            if (w.deadlineNanos != Long.MAX_VALUE
                    && w.deadlineNanos > nowNanos
                    && (due == null || w.deadlineNanos < due)) {
                due = w.deadlineNanos;
            }
        }
        return due;
    }

    /** Moves time to a due point and fires the one timer that is due there, if it is a timer and no wait's limit. */
    private void fireUntil(long due) {
        nowNanos = Math.max(nowNanos, due);
        Long timer = timers.nextDue();
        if (timer != null && timer <= nowNanos) {
            trace.add("@timer");
            timers.fireNext();
        }
    }

    VirtualTimers.Handle timer(long delayNanos, long intervalNanos, Runnable body, ExecutionContext target) {
        if (!turn.mine()) {
            foreign.add(Thread.currentThread().getName() + " sets a timer");
        }
        return timers.add(nowNanos + Math.max(0, delayNanos), intervalNanos, body, target);
    }

    // ---- for tests

    /** Runs everything that can run, on the thread that made this runtime or inside a step. */
    public void runUntilIdle() {
        stepsSinceRest = 0;
        Wait rest = new Wait("rest", ++seq, REST, Long.MAX_VALUE, Thread.currentThread());
        waits.add(rest);
        loop(rest, false);
        waits.remove(rest);
    }

    /** Comes to rest, then moves time on, timer by timer, coming to rest after each. */
    public void advance(Duration by) {
        long end = nowNanos + by.toNanos();
        runUntilIdle();
        for (Long due = nextDue(); due != null && due <= end; due = nextDue()) {
            fireUntil(due);
            runUntilIdle();
        }
        nowNanos = Math.max(nowNanos, end);
    }

    /** Goes on, with time, until a condition holds or so much time has passed; tells whether it holds. */
    public boolean runUntil(BooleanSupplier done, Duration most) {
        long end = nowNanos + most.toNanos();
        runUntilIdle();
        while (!done.getAsBoolean()) {
            Long due = nextDue();
            if (due == null || due > end) {
                return false;
            }
            fireUntil(due);
            runUntilIdle();
        }
        return true;
    }

    /** Makes a wait of the first matching label throw at once; tells whether there was one. */
    public boolean injectFailure(Predicate<String> label, Supplier<? extends RuntimeException> failure) {
        for (Wait w : waits) {
            if (!isRest(w) && w.failure == null && label.test(w.label)) {
                w.failure = failure.get();
                return true;
            }
        }
        return false;
    }

    /** Labels of the waits that stand now. */
    public List<String> suspended() {
        return waits.stream().filter(w -> !isRest(w)).map(w -> w.label).toList();
    }

    /**
     * Begins another program in the same system: choices, numbers and the trace start anew, so that it replays the same alone.
     *
     * @param programPrefix start of the actor paths of this program, left out of labels
     */
    public void newProgram(long programSeed, String programPrefix) {
        newProgram(programSeed, programPrefix, options.earlyTimers() > 0);
    }

    /** The same, with early timers or without. */
    public void newProgram(long programSeed, String programPrefix, boolean earlyTimers) {
        this.seed = programSeed;
        this.random = new Random(programSeed);
        this.prefix = programPrefix;
        this.early = earlyTimers;
        this.seq = 0;
        this.steps = 0;
        this.labels.clear();
        this.trace.clear();
        this.failures.clear();
    }

    public long steps() {
        return steps;
    }

    /** Labels run: all if asked for, else the last {@value Trace#TAIL}. */
    public List<String> trace() {
        return trace.labels();
    }

    /** A hash of all labels run. */
    public long traceHash() {
        return trace.hash();
    }

    /** What the steps threw that nobody caught. */
    public List<Throwable> failures() {
        return List.copyOf(failures);
    }

    /** Threads unknown to this runtime that gave it work. */
    public List<String> foreignThreads() {
        return List.copyOf(foreign);
    }

    /** Fails if a thread unknown to this runtime took part: then nothing replays. */
    public void assertNoForeignThreads() {
        if (!foreign.isEmpty()) {
            throw new AssertionError("threads unknown to the runtime took part: " + foreign);
        }
    }

    // ---- systems

    /** Makes a system on this runtime; start-up runs in order, choices begin after it. */
    public <T> ActorSystem<T> system(Behavior<T> guardian, String name, Config extra) {
        Config config = ConfigFactory.parseMap(Map.of(ID_PATH, id))
                .withFallback(extra)
                .withFallback(Systems.BASE)
                .withFallback(ConfigFactory.load());
        chaos = false;
        ActorSystem<T> system = Systems.create(this, guardian, name, config);
        runUntilIdle();
        chaos = true;
        return system;
    }

    /** Ends a system and waits for its end. */
    public void terminate(ActorSystem<?> system) {
        chaos = false;
        Systems.pumping(this, () -> {
            system.terminate();
            return true;
        });
        boolean done =
                runUntil(() -> system.getWhenTerminated().toCompletableFuture().isDone(), Duration.ofMinutes(5));
        if (!done) {
            throw new IllegalStateException("the system did not end; waits: " + suspended());
        }
    }

    /** Ends all waits and threads. */
    @Override
    public void close() {
        stopping = true;
        for (Wait w : waits) {
            w.failure = new RuntimeClosed();
        }
        chaos = false;
        runUntilIdle();
        for (Worker w : workers) {
            turn.give(w);
            turn.awaitMine();
        }
        BY_ID.remove(id);
    }
}
