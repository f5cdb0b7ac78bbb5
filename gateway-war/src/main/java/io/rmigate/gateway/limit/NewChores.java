package io.rmigate.gateway.limit;

import io.rmigate.protocol.tunnel.Frame;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The {@link Chores} of one session that have not been counted yet. Frames come from whoever reads
 * the session's link, one at a time; the rest is for any thread.
 */
public final class NewChores {
  private final AtomicLong chores = new AtomicLong();

  /** Of which {@link Chores#SLIGHT_FRAMES} make a chore. Confined to whoever reads the link. */
  private int slight;

  /** A frame has come, by itself or within a coded one. */
  public void onFrame(Frame frame) {
    int asked = Chores.of(frame);
    if (asked == 0 && Chores.isSlight(frame) && ++slight == Chores.SLIGHT_FRAMES) {
      slight = 0;
      asked = 1;
    }
    if (asked > 0) {
      add(asked);
    }
  }

  /** So many more have been done. */
  public void add(long many) {
    chores.addAndGet(many);
  }

  /** How many there are; they count as counted from here on. */
  public long take() {
    return chores.getAndSet(0);
  }
}
