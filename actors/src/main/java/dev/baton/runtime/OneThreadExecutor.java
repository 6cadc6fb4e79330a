package dev.baton.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One thread that does what it is given, in order, and looks for more for a short while before it sleeps: waking a sleeping thread
 * costs tens of microseconds, and what an actor waits for often comes sooner. It does not yield meanwhile: schedulers may hold that
 * against a thread for milliseconds.
 *
 * <p>The thread is a daemon: one that stands in a call that never returns doesn't keep the JVM alive.
 */
final class OneThreadExecutor extends AbstractExecutorService {
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final long spinNanos;
    private final Thread thread;
    private volatile boolean sleeping;
    private volatile boolean shutdown;

    /**
     * Starts the thread.
     *
     * @param spinNanos how long it looks for more before it sleeps, in nanoseconds; zero sleeps at once
     */
    OneThreadExecutor(ThreadFactory factory, long spinNanos) {
        this.spinNanos = spinNanos;
        this.thread = factory.newThread(this::loop);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void execute(Runnable task) {
        if (!shutdown) {
            tasks.add(task);
            // the thread may have ended between the question and the answer; then nobody would ever look
            if (ended.getCount() > 0 || !tasks.remove(task)) {
                wake();
                return;
            }
        }
        throw new RejectedExecutionException("the thread " + thread.getName() + " has been shut down");
    }

    private void wake() {
        if (sleeping) {
            LockSupport.unpark(thread);
        }
    }

    private void loop() {
        while (true) {
            Runnable task = tasks.poll();
            if (task == null) {
                task = spin();
            }
            if (task != null) {
                run(task);
            } else if (!shutdown) {
                sleep();
            } else {
                ended.countDown();
                return;
            }
        }
    }

    private @Nullable Runnable spin() {
        if (spinNanos > 0 && !shutdown) {
            long start = System.nanoTime();
            do {
                Thread.onSpinWait();
                Runnable task = tasks.poll();
                if (task != null) {
                    return task;
                }
            } while (System.nanoTime() - start < spinNanos && !shutdown);
        }
        return null;
    }

    private void sleep() {
        // who adds a task after this look sees that the thread sleeps, and wakes it
        sleeping = true;
        if (tasks.isEmpty() && !shutdown) {
            LockSupport.park(this);
        }
        sleeping = false;
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable cause) { // told, and the thread goes on: others' messages wait behind this one
            thread.getUncaughtExceptionHandler().uncaughtException(thread, cause);
        }
    }

    /** Takes no more; what it has taken is done. */
    @Override
    public void shutdown() {
        shutdown = true;
        LockSupport.unpark(thread);
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutdown();
        List<Runnable> left = new ArrayList<>();
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            left.add(task);
        }
        thread.interrupt();
        return left;
    }

    @Override
    public boolean isShutdown() {
        return shutdown;
    }

    @Override
    public boolean isTerminated() {
        return ended.getCount() == 0;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return ended.await(timeout, unit);
    }
}
