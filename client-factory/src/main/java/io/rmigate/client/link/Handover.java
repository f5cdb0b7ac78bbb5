package io.rmigate.client.link;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.protocol.tunnel.FrameOutput;
import java.util.ArrayList;
import java.util.List;

/**
 * What has been added of one request that has a deadline, as long as nothing of it has been handed
 * to the transport: until then it can be taken back, and nobody will ever see it. For one request.
 *
 * <p>Guarded by the outbound lock.
 */
final class Handover {
  /** Where parts of it stand in what waits: pairs of beginning and end, in their order. */
  private final List<int[]> parts = new ArrayList<>(1);

  private boolean begun;
  private boolean withOpen;
  private long nanos;

  /** These bytes of what waits belong to it. */
  void added(int from, int to, boolean opensStream) {
    parts.add(new int[] {from, to});
    withOpen |= opensStream;
  }

  /** What waits is handed to the transport now. */
  void begin(long nowNanos) {
    parts.clear();
    if (!begun) {
      begun = true;
      nanos = nowNanos;
    }
  }

  /** Whether bytes of it have been handed to the transport. */
  boolean hasBegun() {
    return begun;
  }

  /** When the first were, on the clock of {@link System#nanoTime}. */
  long nanos() {
    return nanos;
  }

  /**
   * How long the request may wait: until its deadline while it can be taken back, else longer, for
   * the gateway's word; not above 0 when it is over.
   */
  long leftNanos(CallClock clock, long patienceNanos) {
    return clock.leftNanos() + (begun ? patienceNanos : 0);
  }

  /** Whether the frame that opens the stream is among what waits. */
  boolean withOpen() {
    return withOpen;
  }

  /** Takes back what waits; {@code others} wait in the same place. */
  void takeBack(FrameOutput waiting, Iterable<Handover> others) {
    for (int i = parts.size() - 1; i >= 0; i--) {
      int[] part = parts.get(i);
      int length = part[1] - part[0];
      waiting.remove(part[0], length);
      for (Handover other : others) {
        other.moveUp(part[1], length);
      }
    }
    parts.clear();
  }

  private void moveUp(int behind, int by) {
    for (int[] part : parts) {
      if (part[0] >= behind) {
        part[0] -= by;
        part[1] -= by;
      }
    }
  }
}
