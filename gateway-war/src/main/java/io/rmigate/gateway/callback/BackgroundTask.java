package io.rmigate.gateway.callback;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Something that blocks, done by others and never twice at a time. Who wants it done again asks
 * again. Thread-safe.
 */
final class BackgroundTask {
  private final Executor blocking;
  private final Runnable task;
  private final AtomicBoolean underWay = new AtomicBoolean();

  BackgroundTask(Executor blocking, Runnable task) {
    this.blocking = blocking;
    this.task = task;
  }

  /** Begins, unless it is under way; false when it does not. */
  boolean begin() {
    if (!underWay.compareAndSet(false, true)) {
      return false;
    }
    try {
      blocking.execute(this::run);
      return true;
    } catch (RejectedExecutionException busy) {
      underWay.set(false);
      return false;
    }
  }

  private void run() {
    try {
      task.run();
    } finally {
      underWay.set(false);
    }
  }
}
