package io.rmigate.gateway.limit;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Checks deadlines four times a second, on a daemon thread of its own from the first {@link #start}
 * on. Thread-safe.
 */
public final class DeadlineTimer implements AutoCloseable {
  private static final Duration TICK = Duration.ofMillis(250);

  private final ScheduledThreadPoolExecutor timer;
  private final Runnable tick;
  private final ReentrantLock lock = new ReentrantLock();

  /** Null until the first {@link #start}. Guarded by {@code lock}. */
  private Future<?> ticking;

  /**
   * Starts nothing yet.
   *
   * @param thread its name
   * @param tick an exception of its would end the ticking
   */
  public DeadlineTimer(String thread, Runnable tick) {
    this.tick = tick;
    timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread ticker = new Thread(task, thread);
              ticker.setDaemon(true);
              return ticker;
            });
  }

  /** Begins, unless it has begun or is closed. */
  public void start() {
    lock.lock();
    try {
      if (ticking == null && !timer.isShutdown()) {
        ticking =
            timer.scheduleWithFixedDelay(
                tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
      }
    } finally {
      lock.unlock();
    }
  }

  /** No tick begins from here on. */
  @Override
  public void close() {
    lock.lock();
    try {
      if (ticking != null) {
        ticking.cancel(false);
      }
      timer.shutdownNow();
    } finally {
      lock.unlock();
    }
  }
}
