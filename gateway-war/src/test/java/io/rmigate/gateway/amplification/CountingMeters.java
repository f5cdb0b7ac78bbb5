package io.rmigate.gateway.amplification;

import io.rmigate.gateway.grant.GrantRefusal;
import io.rmigate.gateway.lease.LeaseMeters;
import io.rmigate.gateway.view.SessionMeters;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Counts leases and grants as the gateway reports them. Thread-safe. */
final class CountingMeters implements SessionMeters, LeaseMeters {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  private final AtomicLong held = new AtomicLong();
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLong forged = new AtomicLong();

  /** Objects with a lease, or with one that was asked for. */
  long held() {
    return held.get();
  }

  /** Grants that the gateway accepted. */
  long accepted() {
    return accepted.get();
  }

  /** Grants that the gateway refused as forged. */
  long forged() {
    return forged.get();
  }

  /** Waits until at most that many objects are held, because a clean has no answer. */
  void awaitHeld(long atMost) {
    long begin = System.nanoTime();
    while (held() > atMost) {
      if (System.nanoTime() - begin > PATIENCE_NANOS) {
        throw new IllegalStateException(held() + " objects are still held");
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  @Override
  public void leasesHeld(int change) {
    held.addAndGet(change);
  }

  @Override
  public void grantAccepted() {
    accepted.incrementAndGet();
  }

  @Override
  public void refused(String reason) {
    if (reason.equals(GrantRefusal.FORGED.word())) {
      forged.incrementAndGet();
    }
  }
}
