package io.rmigate.gateway.relay.address;

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
 * The threads that ask the name service, which blocks for as long as some name server likes, and
 * whose turn it is. Names of targets may be anybody's, where a wildcard leads or by what registries
 * say, and so may their name servers: nobody who has many of them looked up that hang keeps others
 * from theirs. So nobody has more than a few threads, nor more than are left for all others, but
 * for the first one; and of the lookups that wait nobody's are more than there is room left for.
 * Those of one sharer begin in their order, the sharers take turns. Threads are made when they are
 * needed, and end when they are not.
 *
 * <p>Thread-safe. Lock: {@code lock} guards all; lookups run outside it.
 */
public final class NameLookups implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(NameLookups.class);

  static final int MOST_AT_A_TIME = 64;
  static final int MOST_OF_ONE = 8;
  static final int MOST_WAITING = 10_000;

  private static final long IDLE_SECONDS = 30;

  /** What one sharer has. */
  private static final class Share {
    final Deque<Runnable> waiting = new ArrayDeque<>();
    int running;
  }

  /** One that is to run now. */
  private record Turn(Object sharer, Share share, Runnable lookup) {}

  private final ReentrantLock lock = new ReentrantLock();

  /** The next to take its turn comes first; none has nothing that waits or runs. */
  private final Map<Object, Share> shares = new LinkedHashMap<>();

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

  private int running;
  private int waiting;
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
      Share share = shares.get(sharer);
      int own = 1 + (share == null ? 0 : share.waiting.size());
      if (closed || own > MOST_WAITING - (waiting + 1)) {
        throw new RejectedExecutionException("too many names wait for the name service");
      }
      if (share == null) {
        share = new Share();
        shares.put(sharer, share);
      }
      share.waiting.add(lookup);
      waiting++;
      turns = nextTurns();
    } finally {
      lock.unlock();
    }
    turns.forEach(this::begin); // that one, if any
  }

  /** All that may run now, and counts as running from here on. */
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

  /** One for each sharer, at most. */
  private void takeTurns(List<Turn> turns) {
    Map<Object, Share> served = new LinkedHashMap<>();
    Iterator<Map.Entry<Object, Share>> next = shares.entrySet().iterator();
    while (next.hasNext() && running < MOST_AT_A_TIME && waiting > 0) {
      Map.Entry<Object, Share> one = next.next();
      Share share = one.getValue();
      if (!share.waiting.isEmpty() && mayRunMore(share)) {
        turns.add(new Turn(one.getKey(), share, share.waiting.remove()));
        waiting--;
        share.running++;
        running++;
        next.remove();
        served.put(one.getKey(), share);
      }
    }
    shares.putAll(served);
  }

  private boolean mayRunMore(Share share) {
    return share.running == 0
        || (share.running < MOST_OF_ONE && share.running + 1 <= MOST_AT_A_TIME - (running + 1));
  }

  private void begin(Turn turn) {
    if (!beginElsewhere(turn)) {
      ended(turn);
      throw new RejectedExecutionException("there is no thread to look names up");
    }
  }

  /** On a thread of its own, and there whatever may run because this has ended. */
  private void run(Turn first) {
    Deque<Turn> turns = new ArrayDeque<>(List.of(first));
    while (!turns.isEmpty()) {
      Turn turn = turns.remove();
      try {
        turn.lookup().run();
      } catch (RuntimeException | Error unexpected) {
        LOG.error("unexpected failure of a lookup", unexpected);
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
      running--;
      turn.share().running--;
      if (turn.share().running == 0 && turn.share().waiting.isEmpty()) {
        shares.remove(turn.sharer());
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many wait for their turn. */
  int waiting() {
    lock.lock();
    try {
      return waiting;
    } finally {
      lock.unlock();
    }
  }

  /** What waits is dropped. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      shares.values().forEach(share -> share.waiting.clear());
      waiting = 0;
    } finally {
      lock.unlock();
    }
    threads.shutdownNow();
  }
}
