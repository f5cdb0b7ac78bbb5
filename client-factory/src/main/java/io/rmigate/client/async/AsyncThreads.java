package io.rmigate.client.async;

import io.rmigate.client.jvm.Daemons;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of all calls of this JVM. Their number does not depend on that of the calls; all are
 * daemons, and end when there has been nothing to do for a while.
 */
final class AsyncThreads {
  /** Replies that are unmarshalled at a time. */
  private static final int READERS = Math.max(2, Math.min(8, processors()));

  /** Calls past the gateway that wait for their Returns at a time, and first connections. */
  private static final int WAITERS = 16;

  /** Calls that are given up at a time because their time is over. */
  private static final int ENDERS = 2;

  private static final long IDLE_SECONDS = 10;

  /** Unmarshals, and completes the futures. */
  private static final ThreadPoolExecutor READING = pool("rmigate-async", READERS);

  /** Connects, and makes the calls that do not pass the gateway. */
  private static final ThreadPoolExecutor WAITING = pool("rmigate-async-wait", WAITERS);

  /** Gives calls up whose time is over, though all other threads wait for a link. */
  private static final ThreadPoolExecutor ENDING = pool("rmigate-async-end", ENDERS);

  private static final ScheduledThreadPoolExecutor TIMER = timer();

  private AsyncThreads() {}

  private static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  private static ThreadPoolExecutor pool(String name, int threads) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), // of the calls that are under way, whose number is bounded
            Daemons.named(name));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static ScheduledThreadPoolExecutor timer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(1, Daemons.named("rmigate-async-timer"));
    timer.setRemoveOnCancelPolicy(true);
    timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    return timer;
  }

  /** For tasks that wait for no server. */
  static ThreadPoolExecutor reading() {
    return READING;
  }

  /** For tasks that may wait for a server. */
  static ThreadPoolExecutor waiting() {
    return WAITING;
  }

  /** For calls whose time is over. */
  static ThreadPoolExecutor ending() {
    return ENDING;
  }

  /** For tasks that take no time. */
  static ScheduledThreadPoolExecutor timing() {
    return TIMER;
  }
}
