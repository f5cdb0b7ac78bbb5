package io.rmigate.gateway.relay.address;

import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Shares;
import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that ask the name service, which can block for as long as a name server takes.
 * Clients can choose names, through wildcards of policy or replies of registries, and so the name
 * servers that answer. Hanging lookups of one sharer must not delay the lookups of others: each
 * sharer has a bounded number of threads and at most as many as are left for all others, but one as
 * long as any is free; its waiting lookups are bounded by the room that is left. Lookups of one
 * sharer begin in their order, and the sharers take turns. Threads start when they are needed, and
 * end when they are idle.
 *
 * <p>Thread-safe. Lock: {@code lock} guards all; lookups run outside it.
 */
public final class NameLookups implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(NameLookups.class);

  /** Lookups at a time, each of which has a thread. */
  static final Quota RUNNING = Quota.half(64).withEach(8);

  static final Quota WAITING = Quota.half(10_000);

  private static final long IDLE_SECONDS = 30;

  /** A lookup that is to run now, and the sharer for which it counts. */
  private record Turn(Object sharer, Runnable lookup) {}

  private final ReentrantLock lock = new ReentrantLock();

  /**
   * Lookups that wait, by sharer; the next to take its turn comes first. A sharer stays here while
   * lookups of its wait or run.
   */
  private final Map<Object, Deque<Runnable>> lines = new LinkedHashMap<>();

  private final Shares<Object> running = new Shares<>();
  private final Shares<Object> waiting = new Shares<>();

  private final AtomicInteger number = new AtomicInteger();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE, // what runs is bounded here
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          task -> {
            Thread thread = new Thread(task, "rmigate-resolver-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
          });

  private boolean closed;

  public NameLookups() {}

  /**
   * Has something looked up, soon.
   *
   * @param sharer on whose behalf; equal to itself
   * @param lookup may block
   * @throws RejectedExecutionException too many wait already, as its message says; it will not run
   */
  public void execute(Object sharer, Runnable lookup) {
    List<Turn> turns;
    lock.lock();
    try {
      if (closed || !waiting.take(sharer, 1, WAITING)) {
        throw new RejectedExecutionException("too many names wait for the name service");
      }
      lines.computeIfAbsent(sharer, first -> new ArrayDeque<>()).add(lookup);
      turns = nextTurns();
    } finally {
      lock.unlock();
    }
    turns.forEach(this::begin); // that one, if any
  }

  /** Takes all lookups that may run now; they count as running from here on. */
  private List<Turn> nextTurns() {
    assert lock.isHeldByCurrentThread();
    List<Turn> turns = new ArrayList<>();
    int before;
    do {
      before = turns.size();
      takeTurns(turns);
    } while (turns.size() > before);
    return turns;
  }

  /** Takes at most one lookup of each sharer. */
  private void takeTurns(List<Turn> turns) {
    Map<Object, Deque<Runnable>> served = new LinkedHashMap<>();
    Iterator<Map.Entry<Object, Deque<Runnable>>> next = lines.entrySet().iterator();
    while (next.hasNext() && running.taken() < RUNNING.total() && waiting.taken() > 0) {
      Map.Entry<Object, Deque<Runnable>> one = next.next();
      Object sharer = one.getKey();
      if (!one.getValue().isEmpty() && running.take(sharer, 1, RUNNING)) {
        turns.add(new Turn(sharer, one.getValue().remove()));
        waiting.release(sharer, 1);
        next.remove();
        served.put(sharer, one.getValue());
      }
    }
    lines.putAll(served);
  }

  private void begin(Turn turn) {
    if (!beginElsewhere(turn)) {
      ended(turn);
      throw new RejectedExecutionException("there is no thread to look names up");
    }
  }

  /** Runs a lookup on a thread of its own, and then the lookups that may begin after it. */
  private void run(Turn first) {
    Deque<Turn> turns = new ArrayDeque<>(List.of(first));
    while (!turns.isEmpty()) {
      Turn turn = turns.remove();
      try {
        turn.lookup().run();
      } catch (RuntimeException | Error unexpected) {
        LOG.error("unexpected failure while looking up a host name", unexpected);
      }
      List<Turn> next;
      lock.lock();
      try {
        ended(turn);
        next = nextTurns();
      } finally {
        lock.unlock();
      }
      for (Turn one : next) {
        if (turns.isEmpty() || !beginElsewhere(one)) {
          turns.add(one);
        }
      }
    }
  }

  private boolean beginElsewhere(Turn turn) {
    try {
      threads.execute(() -> run(turn));
      return true;
    } catch (RejectedExecutionException over) {
      return true;
    } catch (OutOfMemoryError noThread) {
      return false;
    }
  }

  private void ended(Turn turn) {
    lock.lock();
    try {
      running.release(turn.sharer(), 1);
      Deque<Runnable> line = lines.get(turn.sharer());
      if (line != null && line.isEmpty() && running.of(turn.sharer()) == 0) {
        lines.remove(turn.sharer());
      }
    } finally {
      lock.unlock();
    }
  }

  /** The number of lookups that wait for their turn. */
  long waiting() {
    return waiting.taken();
  }

  /** Drops waiting lookups. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      lines.forEach((sharer, line) -> waiting.release(sharer, line.size()));
      lines.clear();
    } finally {
      lock.unlock();
    }
    threads.shutdownNow();
  }
}
