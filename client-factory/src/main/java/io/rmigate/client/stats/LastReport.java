package io.rmigate.client.stats;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Has the gateway told when the JVM ends in order, with the account of what it has done. The link
 * itself stays: other shutdown hooks may still call through it. Thread-safe; may be begun and ended
 * once each, in either order.
 */
public final class LastReport {
  private final Thread hook;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean begun;
  private boolean over;

  /**
   * @param report to be run when the JVM ends; must not take long
   */
  public LastReport(Runnable report) {
    this.hook = new Thread(report, "rmigate-last-report");
  }

  /** From here on the end of the JVM is reported, unless {@link #end} has come first. */
  public void begin() {
    lock.lock();
    try {
      if (!over) {
        Runtime.getRuntime().addShutdownHook(hook);
        begun = true;
      }
    } catch (IllegalStateException ending) {
      over = true; // too late: the JVM is on its way out
    } finally {
      lock.unlock();
    }
  }

  /** The end of the JVM is no longer of interest, and nothing here keeps classes loaded. */
  public void end() {
    lock.lock();
    try {
      over = true;
      if (begun) {
        Runtime.getRuntime().removeShutdownHook(hook);
        begun = false;
      }
    } catch (IllegalStateException ending) {
      begun = false; // the hook runs or has run
    } finally {
      lock.unlock();
    }
  }
}
