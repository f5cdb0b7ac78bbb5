package io.rmigate.gateway.services;

import io.rmigate.soap.http.CountedInput;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * How many bytes the bodies of all requests in progress may have together, since each of them
 * becomes objects in memory, and how slowly they may come. One principal's may have no more than is
 * left of it for all others: half of it, where nobody else has anything. One largest body may have
 * more, as long as that leaves half of the rest: else none could pass that is larger than half of
 * it. So however many have as much as they get, there is some for whoever comes then. Thread-safe;
 * each body is of one thread.
 */
final class BodyBudget {
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by {@code lock}. */
  private long taken;

  /** Guarded by {@code lock}. */
  private final Map<String, Long> byPrincipal = new HashMap<>();

  private final LongSupplier ticker;

  BodyBudget(LongSupplier ticker) {
    this.ticker = ticker;
  }

  /** There is no room for another byte. */
  static final class Exhausted extends IOException {
    private static final long serialVersionUID = 1L;

    Exhausted() {
      super("the bodies of all requests together are too large");
    }
  }

  /** It comes too slowly. */
  static final class TooSlow extends IOException {
    private static final long serialVersionUID = 1L;

    TooSlow() {
      super("the body comes too slowly");
    }
  }

  /** A body that is counted until it is closed, which does not close what it reads from. */
  final class Body extends CountedInput {
    private final String principal;
    private final long most;
    private final long largest;
    private final Pace pace;
    private final long begun = ticker.getAsLong();
    private long read;
    private long counted;

    private Body(InputStream body, String principal, long most, long largest, Pace pace) {
      super(body);
      this.principal = principal;
      this.most = most;
      this.largest = largest;
      this.pace = pace;
    }

    @Override
    protected void count(int bytes) throws IOException {
      read += bytes;
      if (ticker.getAsLong() - begun > pace.nanosFor(read)) {
        throw new TooSlow();
      }
      charge(bytes);
    }

    /** So far, be they in memory or not. */
    long bytesRead() {
      return read;
    }

    /** What is made of the body is larger than the body by so many bytes. */
    void charge(long bytes) throws Exhausted {
      if (bytes == 0) {
        return; // takes nothing, whatever others have taken meanwhile
      }
      lock.lock();
      try {
        long own = byPrincipal.getOrDefault(principal, 0L);
        if (!isRoom(own + bytes, taken + bytes)) {
          throw new Exhausted();
        }
        add(principal, bytes);
        counted += bytes;
      } finally {
        lock.unlock();
      }
    }

    private boolean isRoom(long own, long all) {
      return own <= most - all || (own <= largest && all - own <= (most - largest) / 2);
    }

    /** It is no longer in memory, or what was made of it is not. */
    @Override
    public void close() {
      lock.lock();
      try {
        if (counted != 0) {
          add(principal, -counted);
        }
        counted = 0;
      } finally {
        lock.unlock();
      }
    }
  }

  private void add(String principal, long bytes) {
    assert lock.isHeldByCurrentThread();
    taken += bytes;
    byPrincipal.merge(
        principal, bytes, (before, more) -> before + more == 0 ? null : before + more);
  }

  /**
   * Counts what is read of a body.
   *
   * @param most of all together
   * @param largest of one
   */
  Body charge(InputStream body, String principal, long most, long largest, Pace pace) {
    return new Body(body, principal, most, largest, pace);
  }

  /** Who has bodies that are not closed. */
  int principals() {
    lock.lock();
    try {
      return byPrincipal.size();
    } finally {
      lock.unlock();
    }
  }

  /** Of the bodies that are not closed. */
  long taken() {
    lock.lock();
    try {
      return taken;
    } finally {
      lock.unlock();
    }
  }
}
