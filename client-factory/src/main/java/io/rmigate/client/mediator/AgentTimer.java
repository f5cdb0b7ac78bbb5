package io.rmigate.client.mediator;

import io.rmigate.client.jvm.Daemons;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The one timer of an agent, with a daemon thread that does not exist before the first link. Its
 * own methods are guarded by {@code AgentLink.opening}, except for those that say otherwise.
 */
final class AgentTimer extends ScheduledThreadPoolExecutor {
  /** By then a short program has ended, and a longer one has made its first calls. */
  static final Duration LATER = Duration.ofSeconds(1);

  /** The tasks that run at intervals and have not begun to. */
  private final Map<Runnable, Duration> waiting = new LinkedHashMap<>();

  AgentTimer() {
    super(1, Daemons.named("rmigate-timer"));
    setRemoveOnCancelPolicy(true);
  }

  /**
   * Has a task run at intervals once the timer is started. Before the agent is shared.
   *
   * @param task an {@link IntervalTask}; the type of this parameter is an interface, so that the
   *     verifier loads no task that is not used
   * @param interval zero for never
   */
  void repeat(Runnable task, Duration interval) {
    if (!interval.isZero()) {
      waiting.put(task, interval);
    }
  }

  /**
   * Starts the thread. From here on every task finds a thread, so that no session begins without
   * one.
   *
   * @throws IOException the thread cannot be started
   */
  void start() throws IOException {
    try {
      prestartCoreThread();
      Map<Runnable, Duration> tasks = new LinkedHashMap<>(waiting);
      waiting.clear();
      for (Map.Entry<Runnable, Duration> each : tasks.entrySet()) {
        long nanos = each.getValue().toNanos();
        ScheduledFuture<?> unused =
            scheduleWithFixedDelay(each.getKey(), nanos, nanos, TimeUnit.NANOSECONDS);
      }
    } catch (RuntimeException | Error noThread) {
      throw new IOException("the thread rmigate-timer cannot be started: " + noThread, noThread);
    }
  }

  /**
   * Runs a task after {@link #LATER} that need not run while the application starts. A task that
   * cannot be run is logged, because nothing depends on it. Thread-safe.
   */
  void runLater(Runnable task) {
    try {
      ScheduledFuture<?> unused = schedule(task, LATER.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RuntimeException | Error noThread) {
      System.getLogger(MediatorAgent.class.getName())
          .log(
              isShutdown() ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
              "a task of the timer is not run",
              noThread);
    }
  }
}
