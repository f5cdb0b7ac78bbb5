package io.rmigate.client.link;

import java.net.SocketTimeoutException;
import java.util.function.BooleanSupplier;

/**
 * A wait for something that a frame brings which is not of a stream. The waiting thread takes its
 * turn in reading the link, like any other. One thread waits at a time.
 */
public final class LinkWait {
  private final Link link;
  private final Waiter waiter;

  /**
   * @param over whether the wait is over; asked by any thread, may take locks under which nothing
   *     is sent
   */
  LinkWait(Link link, BooleanSupplier over) {
    this.link = link;
    this.waiter =
        new Waiter() {
          @Override
          boolean satisfied() {
            return over.getAsBoolean() || link.hasEnded();
          }
        };
  }

  /**
   * Blocks until the wait is over or the link has ended. Not interruptible.
   *
   * @param timeoutMillis 0 for none
   * @throws SocketTimeoutException the time is over before
   */
  public void await(int timeoutMillis) throws SocketTimeoutException {
    long deadline = System.nanoTime() + timeoutMillis * 1_000_000L;
    while (!waiter.satisfied()) {
      long left = deadline - System.nanoTime();
      if (timeoutMillis != 0 && left <= 0) {
        throw new SocketTimeoutException("Read timed out");
      }
      link.inbound().await(waiter, timeoutMillis == 0 ? 0 : left);
    }
  }

  /** Wakes the waiting thread, because a frame may have ended the wait. From any thread. */
  public void wake() {
    waiter.wake();
  }

  /**
   * The wait is over without a frame. The waiting thread may be reading the link, from which only
   * bytes bring it back: the gateway is asked for some. From any thread; does not block.
   */
  public void abandon() {
    waiter.wake();
    link.askForASign();
  }
}
