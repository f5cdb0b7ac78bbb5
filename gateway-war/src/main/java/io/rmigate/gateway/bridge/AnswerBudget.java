package io.rmigate.gateway.bridge;

import io.rmigate.gateway.bridge.marshal.Allowance;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes the answers of all visits in progress may have together, since each of them
 * becomes objects. Thread-safe.
 */
final class AnswerBudget {
  private final long most;
  private final AtomicLong taken = new AtomicLong();

  AnswerBudget(long most) {
    this.most = most;
  }

  /** Of one visit; to be closed with it. */
  Share share() {
    return new Share();
  }

  /** What one visit has taken. */
  final class Share implements Allowance {
    /** Negative when it is closed. */
    private final AtomicLong mine = new AtomicLong();

    @Override
    public boolean take(long bytes) {
      boolean open = mine.getAndUpdate(before -> before < 0 ? before : before + bytes) >= 0;
      return open && taken.addAndGet(bytes) <= most;
    }

    /** Gives everything back; idempotent. */
    void close() {
      taken.addAndGet(-Math.max(0, mine.getAndSet(-1)));
    }
  }

  /** Of visits that are not closed. */
  long taken() {
    return taken.get();
  }
}
