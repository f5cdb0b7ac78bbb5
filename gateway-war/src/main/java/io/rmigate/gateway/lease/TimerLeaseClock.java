package io.rmigate.gateway.lease;

import java.io.Closeable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The real clock, with one daemon thread. What it runs does not block. */
public final class TimerLeaseClock implements LeaseClock, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(TimerLeaseClock.class);

  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "rmigate-leases");
            thread.setDaemon(true);
            return thread;
          });

  /** Its thread starts with the first alarm. */
  public TimerLeaseClock() {
    timer.setRemoveOnCancelPolicy(true);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public long wallMillis() {
    return System.currentTimeMillis();
  }

  @Override
  public Alarm at(long nanos, Runnable task) {
    Runnable guarded =
        () -> {
          try {
            task.run();
          } catch (RuntimeException unexpected) {
            LOG.error("unexpected failure", unexpected);
          }
        };
    try {
      ScheduledFuture<?> alarm =
          timer.schedule(guarded, Math.max(0, nanos - System.nanoTime()), TimeUnit.NANOSECONDS);
      return () -> alarm.cancel(false);
    } catch (RejectedExecutionException closed) {
      return () -> {};
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
