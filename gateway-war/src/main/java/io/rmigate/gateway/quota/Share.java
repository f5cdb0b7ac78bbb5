package io.rmigate.gateway.quota;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * How many units are taken of something: by all holders together, or by one of them. What a part
 * has is taken from the whole, too. Thread-safe, without locks and without allocation.
 *
 * <p>While several threads take at the same time, one of them may be refused units that another one
 * tries in vain to take. More than the quota is never taken.
 */
public final class Share {
  private static final AtomicLongFieldUpdater<Share> TAKEN =
      AtomicLongFieldUpdater.newUpdater(Share.class, "taken");

  /** Null if this is the whole. */
  private final Share whole;

  private volatile long taken;

  /** The whole of something, of which nothing is taken. */
  public Share() {
    this(null);
  }

  private Share(Share whole) {
    this.whole = whole;
  }

  /** The share of one holder of this whole, of which nothing is taken. */
  public Share part() {
    return new Share(this);
  }

  /**
   * Takes units, unless more than {@code most} would be taken of this share then.
   *
   * @return false if nothing was taken
   */
  public boolean take(long units, long most) {
    long before = taken;
    while (units <= most - before) {
      if (TAKEN.compareAndSet(this, before, before + units)) {
        return true;
      }
      before = taken;
    }
    return false;
  }

  /**
   * Takes units, as far as the quota permits it to this holder; of the whole, as far as there are
   * any.
   *
   * @return false if nothing was taken
   */
  public boolean take(long units, Quota quota) {
    if (whole == null) {
      return take(units, quota.total());
    }
    if (!whole.take(units, quota.total())) {
      return false;
    }
    long own = TAKEN.addAndGet(this, units);
    if (quota.permits(own, whole.taken())) {
      return true;
    }
    release(units);
    return false;
  }

  /** Takes units, whether there are any or not. */
  public void takeAnyway(long units) {
    TAKEN.addAndGet(this, units);
    if (whole != null) {
      whole.takeAnyway(units);
    }
  }

  /** Gives back units that were taken. */
  public void release(long units) {
    TAKEN.addAndGet(this, -units);
    if (whole != null) {
      whole.release(units);
    }
  }

  /** The units that are taken now. */
  public long taken() {
    return taken;
  }
}
