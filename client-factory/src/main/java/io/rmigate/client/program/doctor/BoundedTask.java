package io.rmigate.client.program.doctor;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Work on a thread of its own, which is waited for as long as is bearable and then left alone:
 * look-ups of names and some of the JDK's I/O know no bound. The threads are daemons.
 *
 * @param <T> what it results in
 */
final class BoundedTask<T> {
  private final FutureTask<T> task;

  private BoundedTask(FutureTask<T> task) {
    this.task = task;
  }

  /** Begins it. */
  static <T> BoundedTask<T> begin(String name, Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task, "rmigate-doctor " + name);
    thread.setDaemon(true);
    thread.start();
    return new BoundedTask<>(task);
  }

  /**
   * Its result.
   *
   * @param otherwise the result when it does not come by then, or the work has failed
   */
  T await(long deadlineNanos, java.util.function.Function<Exception, T> otherwise)
      throws InterruptedException {
    try {
      return task.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (java.util.concurrent.TimeoutException late) {
      return otherwise.apply(late);
    } catch (java.util.concurrent.ExecutionException failed) {
      if (failed.getCause() instanceof Exception cause) {
        return otherwise.apply(cause);
      }
      throw new IllegalStateException(failed.getCause());
    }
  }
}
