package io.rmigate.perf.gatling;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads on which calls block, since Gatling's own must not: one for each user that has a call
 * under way, as in an application. Where that would be too many the call fails.
 */
final class Callers {
  /** Four times the users of the greatest closed level. */
  static final int MOST = 1_024;

  private static final long KEEP_SECONDS = 10;

  private Callers() {}

  static ThreadPoolExecutor start() {
    return new ThreadPoolExecutor(
        0,
        MOST,
        KEEP_SECONDS,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        work -> {
          Thread thread = new Thread(work, "user");
          thread.setDaemon(true);
          return thread;
        });
  }
}
