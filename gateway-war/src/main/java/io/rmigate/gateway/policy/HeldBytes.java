package io.rmigate.gateway.policy;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of calls and replies may be held for being looked into, all sessions together, so
 * that nobody takes the gateway's memory by sending many beginnings. Nor does anybody take all the
 * room from others: no {@link #share} is more than what is left for all. Who is alone gets half of
 * it, the next one half of the rest, and so on: however many hold as much as they get, there is
 * some for whoever comes then. Messages of few kilobytes are not counted, which take no more than
 * their streams do, nor calls that come in one piece, which are not held. Thread-safe.
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

  /** For somebody who shares it with others: what is taken there is taken here, too. */
  public HeldBytes share() {
    return new HeldBytes(most, Optional.of(this));
  }

  /** Takes room for so many more; false when there is none, and nothing is taken. */
  public boolean take(long bytes) {
    if (all.isEmpty()) {
      return take(bytes, 0);
    }
    if (all.get().take(bytes, held.addAndGet(bytes))) {
      return true;
    }
    held.addAndGet(-bytes);
    return false;
  }

  /** Takes room for so many more, be there any or not: little, behind much that has its room. */
  public void takeAnyway(long bytes) {
    held.addAndGet(bytes);
    all.ifPresent(room -> room.takeAnyway(bytes));
  }

  /** So that no less is left than so many. */
  private boolean take(long bytes, long left) {
    long taken = held.get();
    while (taken + bytes <= most - left) {
      if (held.compareAndSet(taken, taken + bytes)) {
        return true;
      }
      taken = held.get();
    }
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
