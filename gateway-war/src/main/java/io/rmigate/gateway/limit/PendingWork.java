package io.rmigate.gateway.limit;

import io.rmigate.protocol.tunnel.Frame;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The chores of one session that {@link WorkLimiter} has not counted yet. Frames come from the
 * thread that reads the session's link, one at a time; the other methods are for any thread.
 */
public final class PendingWork {
  private final AtomicLong chores = new AtomicLong();

  /**
   * Frames of which {@link WorkLimiter#SLIGHT_FRAMES} make a chore. Confined to the thread that
   * reads.
   */
  private int slight;

  /** A frame has come, by itself or within a coded one. */
  public void onFrame(Frame frame) {
    int asked = WorkLimiter.of(frame);
    if (asked == 0 && WorkLimiter.isSlight(frame) && ++slight == WorkLimiter.SLIGHT_FRAMES) {
      slight = 0;
      asked = 1;
    }
    if (asked > 0) {
      add(asked);
    }
  }

  /** Adds chores that are done. */
  public void add(long many) {
    chores.addAndGet(many);
  }

  /** Removes and returns the number of chores. */
  public long take() {
    return chores.getAndSet(0);
  }
}
