package io.rmigate.client.link;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The requests of one link that are being sent, and whether the gateway drains the link. While it
 * drains, no request begins; when the last one has been sent, the gateway is told once.
 * Thread-safe.
 */
final class LinkDrain {
  /** Requests that have begun and of which not everything has been sent. */
  private final AtomicInteger sending = new AtomicInteger();

  private final AtomicBoolean told = new AtomicBoolean();
  private volatile boolean draining;

  /** Whether the gateway has asked to use another link. */
  boolean isDraining() {
    return draining;
  }

  /**
   * The gateway has asked to use another link.
   *
   * @return whether the gateway is to be told now that no request is being sent
   */
  boolean toDraining() {
    draining = true;
    return sending.get() == 0 && isFirstToTell();
  }

  /** Counts a request that begins, even if the link drains: {@link #end} follows in any case. */
  void begin() {
    sending.incrementAndGet();
  }

  /**
   * A request has been sent, or nothing more of it will be.
   *
   * @return whether the gateway is to be told now that no request is being sent
   */
  boolean end() {
    return sending.decrementAndGet() == 0 && draining && isFirstToTell();
  }

  private boolean isFirstToTell() {
    return told.compareAndSet(false, true);
  }
}
