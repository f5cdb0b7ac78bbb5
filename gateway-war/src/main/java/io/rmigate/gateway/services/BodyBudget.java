package io.rmigate.gateway.services;

import io.rmigate.gateway.quota.Permit;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Shares;
import io.rmigate.soap.http.CountedInput;
import java.io.IOException;
import java.io.InputStream;
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
  private final Shares<String> bytes = new Shares<>();
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
    private final Permit<String> permit;
    private final Quota quota;
    private final Pace pace;
    private final long begun = ticker.getAsLong();
    private long read;

    private Body(InputStream body, Permit<String> permit, Quota quota, Pace pace) {
      super(body);
      this.permit = permit;
      this.quota = quota;
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
    void charge(long more) throws Exhausted {
      // Nothing takes nothing, whatever others have taken meanwhile.
      if (more != 0 && !permit.take(more, quota)) {
        throw new Exhausted();
      }
    }

    /** It is no longer in memory, or what was made of it is not. */
    @Override
    public void close() {
      permit.close();
    }
  }

  /**
   * Counts what is read of a body.
   *
   * @param most of all together
   * @param largest of one
   */
  Body charge(InputStream body, String principal, long most, long largest, Pace pace) {
    Quota quota = Quota.half(most).withLargest(largest);
    return new Body(body, bytes.permit(principal), quota, pace);
  }

  /** Who has bodies that are not closed. */
  int principals() {
    return bytes.holders();
  }

  /** Of the bodies that are not closed. */
  long taken() {
    return bytes.taken();
  }
}
