package io.rmigate.gateway.policy;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of calls and replies may be held for being looked into, all sessions together, so
 * that nobody takes the gateway's memory by sending many beginnings, nor all the room from others.
 * Messages of few kilobytes are not counted, which take no more than their streams do, nor calls
 * that come in one piece, which are not held. Thread-safe.
 */
public final class HeldBytes {
  private final long most;
  private final Optional<HeldBytes> all;
  private final AtomicLong held = new AtomicLong();

  /** At most so many. */
  public HeldBytes(long most) {
    this(most, Optional.empty());
  }

  private HeldBytes(long most, Optional<HeldBytes> all) {
    this.most = most;
    this.all = all;
  }

  /** A quarter of the heap. */
  public static HeldBytes ofThisJvm() {
    return new HeldBytes(Runtime.getRuntime().maxMemory() / 4);
  }

  /** Half of it, for somebody who shares it with others: what is taken there is taken here, too. */
  public HeldBytes share() {
    return new HeldBytes(most / 2, Optional.of(this));
  }

  /** Takes room for so many more; false when there is none, and nothing is taken. */
  public boolean take(long bytes) {
    if (held.addAndGet(bytes) <= most && all.map(room -> room.take(bytes)).orElse(true)) {
      return true;
    }
    held.addAndGet(-bytes);
    return false;
  }

  /** Gives room back. */
  public void giveBack(long bytes) {
    held.addAndGet(-bytes);
    all.ifPresent(room -> room.giveBack(bytes));
  }

  /** Bytes that are held now. */
  public long now() {
    return held.get();
  }
}
