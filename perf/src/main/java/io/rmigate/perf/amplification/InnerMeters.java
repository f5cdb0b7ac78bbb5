package io.rmigate.perf.amplification;

import io.rmigate.gateway.grant.GrantRefusal;
import io.rmigate.gateway.lease.LeaseMeters;
import io.rmigate.gateway.view.SessionMeters;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** What the gateway says has come of leases and grants. Thread-safe. */
final class InnerMeters implements SessionMeters, LeaseMeters {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  private final AtomicLong held = new AtomicLong();
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLong forged = new AtomicLong();

  /** Objects that are held, or are to be. */
  long held() {
    return held.get();
  }

  /** Grants that counted. */
  long accepted() {
    return accepted.get();
  }

  /** Grants that no gateway has sealed. */
  long forged() {
    return forged.get();
  }

  /** Waits until no more are held than that: a clean has no answer. */
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
