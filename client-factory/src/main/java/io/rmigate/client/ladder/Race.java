package io.rmigate.client.ladder;

import io.rmigate.client.config.Way;
import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.jvm.NoThreadException;
import io.rmigate.client.transport.net.ConnectWatch;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Tries ways one after the other, the next one beside those before when they have not answered for
 * a while, or at once when all of them have failed (after RFC 8305, "Happy Eyeballs", section 5).
 * The first that succeeds wins; the others are ended, and what they bring all the same is closed.
 *
 * <p>Threads: each way has a daemon of its own; who runs the race waits for them. Lock: guards what
 * has come of them; nothing is called under it.
 *
 * @param <T> what a way leads to
 */
final class Race<T extends Closeable> {
  private static final System.Logger LOG = System.getLogger(Race.class.getName());

  /** Attempts limit their own time; this long after it the race is over in any case. */
  private static final long SLACK_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The attempt to take one way. */
  @FunctionalInterface
  interface Rung<T> {
    /** Takes the way, on a thread of its own. */
    T take(Way way, Duration timeout, ConnectWatch watch) throws IOException;
  }

  /** How long a way has before the next one is tried beside it. */
  @FunctionalInterface
  interface Pace {
    /**
     * When, on {@link System#nanoTime}'s clock; empty: not as long as nothing changes.
     *
     * @param startNanos of that way
     * @param dialedNanos when the peer had been reached
     */
    OptionalLong nextNanos(long startNanos, OptionalLong dialedNanos);
  }

  /**
   * The result of a race.
   *
   * @param way of the winner; null without a winner
   * @param winner null without a winner
   * @param failures of the ways that have failed by then, in the order of the ways
   * @param overtaken the ways without an answer, in the same order
   */
  record Result<T>(Way way, T winner, Map<Way, IOException> failures, List<Way> overtaken) {
    /** Whether no other way was tried. */
    boolean isUncontested() {
      return failures.isEmpty() && overtaken.isEmpty();
    }
  }

  private final List<Way> ways;
  private final Rung<T> rung;
  private final Pace pace;
  private final Predicate<Failure> isFinal;

  private final ReentrantLock lock = new ReentrantLock();

  /** Signalled when the state of a runner may have changed. */
  private final Condition changed = lock.newCondition();

  private final List<Runner> runners = new ArrayList<>();

  /** The first runner that has succeeded. */
  private Runner winner;

  /** The first runner that has failed in a way after which no other way is tried. */
  private Runner decider;

  private boolean over;

  /**
   * A way that has failed.
   *
   * @param dialed whether the peer had been reached
   */
  record Failure(Way way, IOException cause, boolean dialed) {}

  /**
   * A race to be run once.
   *
   * @param ways in this order, at least one
   * @param isFinal whether after such a failure no other way is tried
   */
  Race(List<Way> ways, Rung<T> rung, Pace pace, Predicate<Failure> isFinal) {
    this.ways = ways;
    this.rung = rung;
    this.pace = pace;
    this.isFinal = isFinal;
  }

  /** Starts the next way after that time, even if the current one makes progress. */
  static Pace every(Duration stagger) {
    return (startNanos, dialedNanos) -> OptionalLong.of(startNanos + stagger.toNanos());
  }

  private final class Runner implements Runnable {
    private final Way way;
    private final Duration timeout;
    private final ConnectWatch watch =
        new ConnectWatch(
            new Runnable() {
              @Override
              public void run() {
                signal();
              }
            });
    private final long startNanos = System.nanoTime();
    private T result; // guarded by lock, as are the others
    private IOException failure;

    Runner(Way way, Duration timeout) {
      this.way = way;
      this.timeout = timeout;
    }

    @Override
    public void run() {
      T brought = null;
      IOException failed = null;
      try {
        brought = rung.take(way, timeout, watch);
      } catch (IOException e) {
        failed = e;
      } catch (RuntimeException | Error unexpected) {
        failed = new IOException(way.text() + ": " + unexpected, unexpected);
      }
      boolean decides =
          failed != null && isFinal.test(new Failure(way, failed, watch.dialedNanos().isPresent()));
      if (!arrive(brought, failed, decides) && brought != null) {
        discard(brought);
      }
    }

    /** Records the result; false when it is not needed. */
    private boolean arrive(T brought, IOException failed, boolean decides) {
      lock.lock();
      try {
        if (over || winner != null) {
          return false;
        }
        result = brought;
        failure = failed;
        if (brought != null) {
          winner = this;
        } else if (decides && decider == null) {
          decider = this;
        }
        changed.signalAll();
        return true;
      } finally {
        lock.unlock();
      }
    }

    private boolean isRunning() {
      return result == null && failure == null;
    }
  }

  private static void discard(Closeable brought) {
    try {
      brought.close();
    } catch (IOException harmless) {
      LOG.log(System.Logger.Level.DEBUG, () -> "closing what came too late: " + harmless);
    }
  }

  private void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs it. Not interruptible, as connecting is not; the interrupt status is kept.
   *
   * @throws IOException there is no thread, or a way did not bound itself
   */
  Result<T> run(Duration timeout) throws IOException {
    long deadline = System.nanoTime() + timeout.toNanos();
    boolean interrupted = false;
    lock.lock();
    try {
      int started = 0;
      while (winner == null && decider == null) {
        long now = System.nanoTime();
        boolean running = isAnyRunning();
        if (!running && started == ways.size()) {
          break;
        }
        if (now - deadline > SLACK_NANOS) {
          throw new SocketTimeoutException("no way within " + timeout.toMillis() + " ms");
        }
        OptionalLong next = started == ways.size() ? OptionalLong.empty() : nextNanos(running, now);
        if (next.isPresent() && next.getAsLong() - now <= 0) {
          start(ways.get(started++), Duration.ofNanos(Math.max(1_000_000, deadline - now)));
        } else {
          long until = deadline + SLACK_NANOS - now + 1;
          try {
            changed.awaitNanos(next.isPresent() ? Math.min(until, next.getAsLong() - now) : until);
          } catch (InterruptedException likeASocket) {
            interrupted = true;
          }
        }
      }
      return result();
    } finally {
      over = true;
      lock.unlock();
      abandonOthers();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean isAnyRunning() {
    for (Runner runner : runners) {
      if (runner.isRunning()) {
        return true;
      }
    }
    return false;
  }

  private OptionalLong nextNanos(boolean running, long now) {
    if (!running) {
      return OptionalLong.of(now);
    }
    Runner last = runners.get(runners.size() - 1);
    return last.isRunning()
        ? pace.nextNanos(last.startNanos, last.watch.dialedNanos())
        : OptionalLong.of(now); // it has failed: no use in waiting for those before it
  }

  private void start(Way way, Duration timeout) throws NoThreadException {
    Runner runner = new Runner(way, timeout);
    Daemons.start("rmigate-way " + way.text(), runner);
    runners.add(runner);
  }

  private Result<T> result() {
    Map<Way, IOException> failures = new LinkedHashMap<>();
    List<Way> overtaken = new ArrayList<>();
    for (Runner runner : runners) {
      if (runner.failure != null) {
        failures.put(runner.way, runner.failure);
      } else if (runner != winner) {
        overtaken.add(runner.way);
      }
    }
    return winner == null
        ? new Result<>(null, null, failures, overtaken)
        : new Result<>(winner.way, winner.result, failures, overtaken);
  }

  private void abandonOthers() {
    for (Runner runner : runners) {
      if (runner != winner) {
        runner.watch.abandon();
      }
    }
  }
}
