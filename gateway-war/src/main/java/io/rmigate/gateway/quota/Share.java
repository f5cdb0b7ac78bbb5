package io.rmigate.gateway.quota;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * How many units are taken of something: by all holders together, or by one of them. What a part
 * has is taken from the whole, too. Thread-safe, without locks and without allocation.
 *
 * <p>While several threads take for one holder at the same time, one of them may be refused units
 * that another one tries in vain to take; other holders do not notice. More than the quota is never
 * taken.
 */
public final class Share {
  private static final AtomicLongFieldUpdater<Share> TAKEN =
      AtomicLongFieldUpdater.newUpdater(Share.class, "taken");

  /** Null if this is the whole. */
  private final Share whole;

  /** Quota of this share, unless another one is given. */
  private final Quota quota;

  private volatile long taken;

  /** The whole of something, of which nothing is taken; who takes says how much there is. */
  public Share() {
    this(Quota.of(Quota.MAX_TOTAL));
  }

  /** The whole of something, of which nothing is taken. */
  public Share(Quota quota) {
    this(null, quota);
  }

  private Share(Share whole, Quota quota) {
    this.whole = whole;
    this.quota = quota;
  }

  /** The share of one holder of this whole, of which nothing is taken. */
  public Share part() {
    return new Share(this, quota);
  }

  /**
   * Takes units, as far as the quota of this share permits it.
   *
   * @return false if nothing was taken
   */
  public boolean take(long units) {
    return take(units, quota);
  }

  /**
   * Takes units, unless more than {@code most} would be taken of this share then.
   *
   * @return false if nothing was taken
   */
  public boolean take(long units, long most) {
    boolean taken = takeHere(units, most);
    if (taken && whole != null) {
      whole.takeAnyway(units);
    }
    return taken;
  }

  /** Takes units of a whole as far as there are any, of a part as far as the quota permits it. */
  boolean take(long units, Quota by) {
    if (whole == null) {
      return takeHere(units, by.total());
    }
    if (!takeHere(units, Math.min(by.each(), by.total()))) {
      return false;
    }
    if (whole.takeFor(this, units, by)) {
      return true;
    }
    TAKEN.addAndGet(this, -units);
    return false;
  }

  /** Takes units for a part that has counted them; what is refused is never taken of the whole. */
  private boolean takeFor(Share part, long units, Quota by) {
    long before = taken;
    while (by.permits(part.taken, before + units)) {
      if (TAKEN.compareAndSet(this, before, before + units)) {
        return true;
      }
      before = taken;
    }
    return false;
  }

  private boolean takeHere(long units, long most) {
    long before = taken;
    while (units <= most - before) {
      if (TAKEN.compareAndSet(this, before, before + units)) {
        return true;
      }
      before = taken;
    }
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
