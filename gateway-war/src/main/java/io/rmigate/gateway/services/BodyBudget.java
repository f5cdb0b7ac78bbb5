package io.rmigate.gateway.services;

import io.rmigate.soap.http.CountedInput;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How many bytes the bodies of all requests in progress may have together, since each of them
 * becomes objects in memory, and how slowly they may come. One principal's may have at most half of
 * it, or one largest body. Thread-safe; each body is of one thread.
 */
final class BodyBudget {
  private final AtomicLong taken = new AtomicLong();
  private final ConcurrentHashMap<String, Long> byPrincipal = new ConcurrentHashMap<>();
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
    private final long share;
    private final Pace pace;
    private final long begun = ticker.getAsLong();
    private long read;
    private long counted;

    private Body(InputStream body, String principal, long most, long share, Pace pace) {
      super(body);
      this.principal = principal;
      this.most = most;
      this.share = share;
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
      counted += bytes;
      boolean tooMuch = add(principal, bytes) > share;
      if (taken.addAndGet(bytes) > most || tooMuch) {
        throw new Exhausted();
      }
    }

    /** It is no longer in memory, or what was made of it is not. */
    @Override
    public void close() {
      add(principal, -counted);
      taken.addAndGet(-counted);
      counted = 0;
    }
  }

  private long add(String principal, long bytes) {
    Long sum =
        byPrincipal.compute(
            principal,
            (who, before) -> {
              long now = (before == null ? 0 : before) + bytes;
              return now == 0 ? null : now;
            });
    return sum == null ? 0 : sum;
  }

  /**
   * Counts what is read of a body.
   *
   * @param most of all together
   * @param largest of one
   */
  Body charge(InputStream body, String principal, long most, long largest, Pace pace) {
    return new Body(body, principal, most, Math.max(largest, most / 2), pace);
  }

  /** Of the bodies that are not closed. */
  long taken() {
    return taken.get();
  }
}
