package io.rmigate.gateway.services;

import io.rmigate.gateway.quota.Permit;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Shares;
import io.rmigate.soap.http.CountedInput;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongSupplier;

/**
 * Bounds the bytes of all request bodies in progress, because each body becomes objects in memory,
 * and the pace at which bodies arrive. The bodies of one principal may have no more bytes than are
 * left for all other principals: half of the budget if there is no other principal. One body of the
 * largest permitted size may have more if that leaves half of the rest, so that a body larger than
 * half of the budget can pass. There are always bytes left for one more principal. Thread-safe;
 * each body is confined to one thread.
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

  /** The body comes too slowly. */
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

    /** Charges bytes by which the objects made of the body exceed the body. */
    void charge(long more) throws Exhausted {
      // A charge of zero bytes succeeds even if the budget is exhausted.
      if (more != 0 && !permit.take(more, quota)) {
        throw new Exhausted();
      }
    }

    /** The body, or the objects made of it, are no longer in memory. */
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

  /** Number of principals with bodies that are not closed. */
  int principals() {
    return bytes.holders();
  }

  /** Bytes of the bodies that are not closed. */
  long taken() {
    return bytes.taken();
  }
}
