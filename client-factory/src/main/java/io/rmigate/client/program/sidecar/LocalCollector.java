package io.rmigate.client.program.sidecar;

import io.rmigate.client.callback.CollectorCall;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Our dirty and clean calls to one JVM here, one after the other, as any client's. A thread makes
 * them while there are some. One that is not answered has failed, and the next one is made.
 *
 * <p>Thread-safe. {@code lock} guards the waiting calls; no call is made under it.
 */
final class LocalCollector {
  /** The wait for an answer: as long as the messages behind a HOLD wait for its dirty call. */
  private static final int ANSWER_MILLIS = 10_000;

  /** A Lease is less, and an exception seldom more. */
  private static final int MOST_ANSWER_BYTES = 64 * 1024;

  /** More calls than wait at a JVM that answers. */
  private static final int MOST_WAITING = 4096;

  private final LocalJvm jvm;
  private final Executor threads;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<CollectorCall> waiting = new ArrayDeque<>();
  private boolean calling;

  LocalCollector(LocalJvm jvm, Executor threads) {
    this.jvm = jvm;
    this.threads = threads;
  }

  /** Queues a call behind the earlier ones; a call fails if too many wait. Does not block. */
  void call(CollectorCall call) {
    boolean taken;
    boolean first;
    lock.lock();
    try {
      taken = waiting.size() < MOST_WAITING;
      first = taken && !calling;
      calling |= taken;
      if (taken) {
        waiting.add(call);
      }
    } finally {
      lock.unlock();
    }
    if (!taken) {
      call.failed();
    } else if (first) {
      try {
        threads.execute(this::callAll);
      } catch (RejectedExecutionException | OutOfMemoryError noThread) {
        failAll();
      }
    }
  }

  private void failAll() {
    for (CollectorCall next = next(); next != null; next = next()) {
      next.failed();
    }
  }

  private void callAll() {
    for (CollectorCall next = next(); next != null; next = next()) {
      make(next);
    }
  }

  private CollectorCall next() {
    lock.lock();
    try {
      calling = !waiting.isEmpty();
      if (!calling) {
        changed.signalAll();
      }
      return waiting.poll();
    } finally {
      lock.unlock();
    }
  }

  private void make(CollectorCall call) {
    byte[] message = call.call().encode();
    try (Socket socket = jvm.begin(message, 0, message.length)) {
      socket.setSoTimeout(ANSWER_MILLIS);
      call.answered(socket.getInputStream().readNBytes(MOST_ANSWER_BYTES));
    } catch (IOException unanswered) {
      System.getLogger(LocalCollector.class.getName())
          .log(System.Logger.Level.DEBUG, "{0} does not answer: {1}", jvm, unanswered);
      call.failed();
    }
  }

  /** Waits until all calls have been made, so long. */
  void awaitRest(long millis) {
    long left = TimeUnit.MILLISECONDS.toNanos(millis);
    lock.lock();
    try {
      while (calling && left > 0) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException enough) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }
}
