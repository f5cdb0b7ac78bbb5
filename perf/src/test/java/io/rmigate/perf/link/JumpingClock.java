package io.rmigate.perf.link;

import java.util.concurrent.atomic.AtomicLong;

/** A clock that jumps to each time that a thread waits for. */
final class JumpingClock implements LinkClock {
  private final AtomicLong now = new AtomicLong(1_000);

  @Override
  public long nanoTime() {
    return now.get();
  }

  @Override
  public void sleepUntil(long nanos) {
    now.accumulateAndGet(nanos, Math::max);
  }
}
