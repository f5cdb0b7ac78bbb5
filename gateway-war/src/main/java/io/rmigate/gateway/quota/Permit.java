package io.rmigate.gateway.quota;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What a request, or something else that ends, has of the share of its holder. At its end it gives
 * back all of it, once, whichever threads end it and however often. Thread-safe.
 */
public final class Permit<K> implements AutoCloseable {
  private static final long CLOSED = -1;

  private final Shares<K> shares;
  private final K holder;

  /** {@link #CLOSED} after the end. */
  private final AtomicLong units = new AtomicLong();

  Permit(Shares<K> shares, K holder) {
    this.shares = shares;
    this.holder = holder;
  }

  /**
   * Takes more units, as far as the quota permits it to the holder.
   *
   * @return false if nothing was taken, as after the end
   */
  public boolean take(long more, Quota quota) {
    if (!shares.take(holder, more, quota)) {
      return false;
    }
    if (!change(more)) {
      shares.release(holder, more);
      return false;
    }
    return true;
  }

  /** Gives back some of the units; after the end it has none. */
  public void release(long some) {
    if (change(-some)) {
      shares.release(holder, some);
    }
  }

  /** Whether this was not closed. */
  private boolean change(long more) {
    long before = units.get();
    while (before != CLOSED) {
      if (units.compareAndSet(before, before + more)) {
        return true;
      }
      before = units.get();
    }
    return false;
  }

  /** The units that it has. */
  public long taken() {
    return Math.max(0, units.get());
  }

  /** Gives everything back; idempotent. */
  @Override
  public void close() {
    long had = units.getAndSet(CLOSED);
    if (had > 0) {
      shares.release(holder, had);
    }
  }
}
