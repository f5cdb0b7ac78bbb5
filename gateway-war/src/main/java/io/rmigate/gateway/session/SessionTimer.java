package io.rmigate.gateway.session;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The timer of all sessions, a thread of its own: a tick, and alarms. The failure of a task does
 * not end it. Thread-safe.
 */
final class SessionTimer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SessionRegistry.class);

  private final ScheduledThreadPoolExecutor executor =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "rmigate-sessions");
            thread.setDaemon(true);
            return thread;
          });
  private final Future<?> ticking;

  /**
   * @param onTick must not fail; see {@link #attempt}
   * @param tick from the end of one tick to the next
   */
  SessionTimer(Runnable onTick, Duration tick) {
    executor.setRemoveOnCancelPolicy(true); // because most calls end before their alarms
    ticking =
        executor.scheduleWithFixedDelay(
            onTick, tick.toMillis(), tick.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Runs a task later; never if the timer is closed before.
   *
   * @param owner for the log
   * @param onFailure runs when the task fails
   */
  Future<?> alarm(Object owner, Runnable task, Runnable onFailure, Duration delay) {
    try {
      return executor.schedule(
          () -> {
            if (!attempt(owner, task)) {
              attempt(owner, onFailure);
            }
          },
          delay.toNanos(),
          TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException closed) {
      return CompletableFuture.completedFuture(null);
    }
  }

  /** How many alarms are set. */
  int alarms() {
    return (int)
        executor.getQueue().stream()
            .filter(task -> task != ticking) // which is in the queue unless it runs
            .count();
  }

  /** Runs a task; false if it failed, even with an Error. */
  static boolean attempt(Object owner, Runnable task) {
    try {
      task.run();
      return true;
    } catch (Throwable unexpected) {
      LOG.error("{}: unexpected failure", owner, unexpected);
      return false;
    }
  }

  @Override
  public void close() {
    ticking.cancel(false);
    executor.shutdownNow();
  }
}
