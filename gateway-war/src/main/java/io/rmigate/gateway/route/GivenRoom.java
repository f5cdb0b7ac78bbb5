package io.rmigate.gateway.route;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many objects all sessions of one caller together may be known to have been given, beside
 * those that are forgotten when others come. What leases are taken of is counted and never refused,
 * since leases are bounded; what grants of earlier sessions name costs a client nothing to show
 * again, in each of its sessions, and is refused when there is no room. Thread-safe.
 */
public final class GivenRoom {
  private final AtomicInteger taken = new AtomicInteger();
  private final int most;

  /**
   * @param most objects
   */
  public GivenRoom(int most) {
    this.most = most;
  }

  /** Takes room for one object; false if there is none. */
  boolean take() {
    return taken.getAndUpdate(now -> now < most ? now + 1 : now) < most;
  }

  /** Takes room for one object, be there any or not. */
  void takeAnyway() {
    taken.incrementAndGet();
  }

  void giveBack(int objects) {
    taken.addAndGet(-objects);
  }
}
