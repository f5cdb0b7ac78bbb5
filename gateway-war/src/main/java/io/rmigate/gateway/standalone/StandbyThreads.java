package io.rmigate.gateway.standalone;

import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Share;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Places in which threads stand by: each waits for the next request of the connection that it has
 * just answered, with a selector for that one connection. So a request wakes the thread that serves
 * it; by way of the connector's selector it would wake that one, which wakes another thread, and
 * would be woken again for the answered connection.
 *
 * <p>Bounded: the number of places is fixed, and no thread stays longer than a moment. When more
 * threads would stand by than there are places, no thread does for a while, because a selector that
 * serves many busy connections finds several ready at a time. Used by any thread, concurrently.
 */
final class StandbyThreads implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StandbyThreads.class);

  /** The time without standbys after there were too many. */
  private static final long CROWDED_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** With more connections at work than these, a selector takes less. */
  private static final int LEAST_PLACES = 12;

  private static final int PLACES_PER_PROCESSOR = 4;

  /** Longer than a program needs between two calls, if it makes one after the other. */
  private static final Duration MOMENT = Duration.ofMillis(20);

  private final Duration moment;
  private final BooleanSupplier spare;

  private final Share taken;

  /**
   * The selectors of all places. A channel is registered with one only while a thread stands by for
   * it.
   */
  private final Set<Selector> selectors = ConcurrentHashMap.newKeySet();

  /** Unused selectors, the most recently used one first. */
  private final ConcurrentLinkedDeque<Selector> free = new ConcurrentLinkedDeque<>();

  /** No thread stands by before this time of {@link System#nanoTime}. */
  private volatile long notBeforeNanos = System.nanoTime();

  private volatile boolean closed;

  /**
   * Opens nothing yet.
   *
   * @param moment at most so long, in whole milliseconds
   * @param spare whether there are enough threads for others while one more stands by
   */
  StandbyThreads(int places, Duration moment, BooleanSupplier spare) {
    this.taken = new Share(Quota.of(places));
    this.moment = moment;
    this.spare = spare;
  }

  /**
   * Standby threads of a pool: at most a quarter of it, and only while half of it is free for
   * others.
   */
  static StandbyThreads of(QueuedThreadPool threads) {
    int wanted = PLACES_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();
    int places = Math.min(threads.getMaxThreads() / 4, Math.max(LEAST_PLACES, wanted));
    return new StandbyThreads(places, MOMENT, () -> free(threads) > threads.getMaxThreads() / 2);
  }

  private static int free(QueuedThreadPool threads) {
    int unused = threads.getMaxThreads() - threads.getThreads() + threads.getIdleThreads();
    return unused - threads.getQueueSize();
  }

  /** The longest time of a standby. */
  Duration moment() {
    return moment;
  }

  /** How many threads stand by. */
  int taken() {
    return (int) taken.taken();
  }

  /** Selectors there are. */
  int open() {
    return selectors.size();
  }

  /**
   * Waits until the channel can be read, is at its end, or has failed, but for a moment only, and
   * not at all when there is no place, threads are scarce or the server stops. The caller reads the
   * channel afterwards and so learns which. A channel that another thread closes meanwhile is given
   * up by the operating system when the moment is over.
   */
  void await(SocketChannel channel) {
    if (closed || System.nanoTime() - notBeforeNanos < 0 || !spare.getAsBoolean()) {
      return;
    }
    if (!taken.take(1)) {
      notBeforeNanos = System.nanoTime() + CROWDED_NANOS;
      return;
    }
    try {
      select(channel);
    } finally {
      taken.release(1);
    }
  }

  private void select(SocketChannel channel) {
    Selector selector = null;
    try {
      selector = free.pollFirst();
      if (selector == null) {
        selector = opened();
      }
      SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
      selector.select(moment.toMillis());
      key.cancel();
      selector.selectNow(); // the channel could not be closed while it is registered
      free.addFirst(selector);
    } catch (ClosedSelectorException stopped) {
      log.debug("the server stops");
    } catch (IOException failed) {
      // The connection is closed, or there are no descriptors left.
      log.debug("no thread stands by for {}", channel, failed);
      discard(selector);
    }
  }

  private Selector opened() throws IOException {
    Selector selector = Selector.open();
    selectors.add(selector);
    if (closed) {
      discard(selector);
    }
    return selector;
  }

  private void discard(Selector selector) {
    if (selector != null) {
      selectors.remove(selector);
      try {
        selector.close();
      } catch (IOException e) {
        log.debug("a selector could not be closed", e);
      }
    }
  }

  /** Ends all standbys and permits no new one. Idempotent. */
  @Override
  public void close() {
    closed = true;
    selectors.forEach(this::discard);
  }
}
