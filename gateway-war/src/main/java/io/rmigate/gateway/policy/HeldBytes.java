package io.rmigate.gateway.policy;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of calls and replies may be held for being looked into, all sessions together, so
 * that nobody takes the gateway's memory by sending many beginnings. Small messages are not
 * counted: their number is bounded by that of streams. Thread-safe.
 */
public final class HeldBytes {
  private final long most;
  private final AtomicLong held = new AtomicLong();

  /** At most so many. */
  public HeldBytes(long most) {
    this.most = most;
  }

  /** A quarter of the heap. */
  public static HeldBytes ofThisJvm() {
    return new HeldBytes(Runtime.getRuntime().maxMemory() / 4);
  }

  /** Takes room for so many more; false when there is none, and nothing is taken. */
  public boolean take(long bytes) {
    if (held.addAndGet(bytes) <= most) {
      return true;
    }
    held.addAndGet(-bytes);
    return false;
  }

  /** Gives room back. */
  public void giveBack(long bytes) {
    held.addAndGet(-bytes);
  }

  /** Bytes that are held now. */
  public long now() {
    return held.get();
  }
}
