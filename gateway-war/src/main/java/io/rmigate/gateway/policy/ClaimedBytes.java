package io.rmigate.gateway.policy;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What the long arrays and strings of one principal's calls that are under way have said to take:
 * its servers have taken memory for that. Thread-safe.
 */
public final class ClaimedBytes {
  private final AtomicLong claimed = new AtomicLong();

  /** Takes these bytes, too, unless all taken bytes are more than {@code most} then. */
  boolean take(long bytes, long most) {
    if (claimed.addAndGet(bytes) <= most) {
      return true;
    }
    claimed.addAndGet(-bytes);
    return false;
  }

  void giveBack(long bytes) {
    claimed.addAndGet(-bytes);
  }

  /** The bytes that are taken now. */
  public long now() {
    return claimed.get();
  }
}
