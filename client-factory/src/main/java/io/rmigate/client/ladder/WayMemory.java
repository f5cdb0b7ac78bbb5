package io.rmigate.client.ladder;

import io.rmigate.client.config.Way;
import io.rmigate.client.transport.net.Networks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Which way was taken to which destination in which network, and why. Bounded: what was not asked
 * for the longest is forgotten first. Says in the log what changes. Thread-safe; nothing but the
 * log is called, and that without the lock.
 */
final class WayMemory {
  static final int MOST = 256;

  /** Times the first interval. */
  private static final int LONGEST_RETRY = 16;

  /** No constant of the class: the javaagent makes this before the application's main. */
  private static System.Logger log() {
    return System.getLogger(WayMemory.class.getName());
  }

  private final Networks networks;
  private final LongSupplier nanoTime;
  private final Duration retry;
  private final ReentrantLock lock = new ReentrantLock();

  /** Null when there is nothing to be done, or it has been done. */
  private final AtomicReference<Runnable> onFirst = new AtomicReference<>();

  private final Map<Key, Taken> taken = new Bounded<>();

  /** The way of a destination that was logged last, in any network. */
  private final Map<String, Way> said = new Bounded<>();

  private record Key(String network, String destination) {
    // Written out: equals and hashCode of records load java.lang.invoke at the start of a program.
    @Override
    public boolean equals(Object other) {
      return other instanceof Key key
          && network.equals(key.network)
          && destination.equals(key.destination);
    }

    @Override
    public int hashCode() {
      return 31 * network.hashCode() + destination.hashCode();
    }
  }

  /** An entry; guarded by lock. */
  private static final class Taken {
    private final Way way;
    private final String name;
    private final String reason;
    private long retryNanos;
    private Duration pause;

    Taken(Way way, String name, String reason, long retryNanos, Duration pause) {
      this.way = way;
      this.name = name;
      this.reason = reason;
      this.retryNanos = retryNanos;
      this.pause = pause;
    }
  }

  private static final class Bounded<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    Bounded() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > MOST;
    }
  }

  /**
   * @param retry before a better way is tried again, for the first time; zero for never
   */
  WayMemory(Networks networks, Duration retry, LongSupplier nanoTime) {
    this.networks = networks;
    this.retry = retry;
    this.nanoTime = nanoTime;
  }

  /** The way that was taken in this network. */
  Optional<Way> way(String destination) {
    Key key = key(destination);
    lock.lock();
    try {
      Taken entry = taken.get(key);
      return entry == null ? Optional.empty() : Optional.of(entry.way);
    } finally {
      lock.unlock();
    }
  }

  /**
   * This way leads there.
   *
   * @param name of the way, for people
   * @param reason why it and not a better one; for people
   */
  void took(String destination, Way way, String name, String reason) {
    Key key = key(destination);
    boolean news;
    lock.lock();
    try {
      Taken before = taken.get(key);
      if (before == null || before.way != way) {
        taken.put(key, new Taken(way, name, reason, nanoTime.getAsLong() + retry.toNanos(), retry));
      }
      news = said.put(destination, way) != way;
    } finally {
      lock.unlock();
    }
    if (news) {
      log().log(System.Logger.Level.INFO, "{0} is reached by {1}: {2}", destination, name, reason);
      Runnable first = onFirst.getAndSet(null);
      if (first != null) {
        first.run();
      }
    }
  }

  /** Sets the task to run once a way has first been taken, on the thread that takes it. */
  void whenFirstTaken(Runnable task) {
    onFirst.set(task);
  }

  /** Forgets the way to a destination, because no way leads there now. */
  void forget(String destination) {
    Key key = key(destination);
    lock.lock();
    try {
      taken.remove(key);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether better ways are to be tried again now; then it is not for another while, twice as long
   * as the one before.
   */
  boolean beginRetry(String destination) {
    Key key = key(destination);
    lock.lock();
    try {
      Taken entry = taken.get(key);
      long now = nanoTime.getAsLong();
      if (entry == null || retry.isZero() || entry.retryNanos - now > 0) {
        return false;
      }
      Duration longest = retry.multipliedBy(LONGEST_RETRY);
      Duration doubled = entry.pause.multipliedBy(2);
      entry.pause = doubled.compareTo(longest) > 0 ? longest : doubled;
      entry.retryNanos = now + entry.pause.toNanos();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** The known ways of this network, one line for people each. */
  List<String> lines() {
    String network = networks.current();
    List<String> lines = new ArrayList<>();
    lock.lock();
    try {
      for (Map.Entry<Key, Taken> each : taken.entrySet()) {
        if (each.getKey().network.equals(network)) {
          Taken entry = each.getValue();
          lines.add(each.getKey().destination + ": " + entry.name + ": " + entry.reason);
        }
      }
    } finally {
      lock.unlock();
    }
    return lines;
  }

  private Key key(String destination) {
    return new Key(networks.current(), destination);
  }
}
