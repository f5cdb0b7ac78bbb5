package io.rmigate.client.link;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.protocol.tunnel.FrameOutput;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of one request with a deadline that wait to be written. Until the first of them has
 * been handed to the transport, the request can be taken back, and the gateway never sees it.
 *
 * <p>Guarded by the lock of {@link LinkOutbound}.
 */
final class QueuedRequest {
  private final CallClock clock;
  private final Link link;

  /** Where the bytes stand in the buffer: pairs of beginning and end, in order. */
  private final List<int[]> parts = new ArrayList<>(1);

  private boolean begun;
  private boolean withOpen;
  private long begunNanos;

  /**
   * @param clock of the request
   * @param link tells how long to wait for the gateway after the deadline
   */
  QueuedRequest(CallClock clock, Link link) {
    this.clock = clock;
    this.link = link;
  }

  /** The bytes between these positions of the buffer belong to the request. */
  void added(int from, int to, boolean opensStream) {
    parts.add(new int[] {from, to});
    withOpen |= opensStream;
  }

  /** The buffer is handed to the transport now. */
  void begin(long nowNanos) {
    parts.clear();
    if (!begun) {
      begun = true;
      begunNanos = nowNanos;
    }
  }

  /** Whether bytes of the request have been handed to the transport. */
  boolean hasBegun() {
    return begun;
  }

  /** When the first bytes were handed over, on the clock of {@link System#nanoTime}. */
  long begunNanos() {
    return begunNanos;
  }

  /**
   * How long the request may still wait: until its deadline while it can be taken back, afterwards
   * longer, because the answer of the gateway may be on its way. Not above 0 when the time is over.
   */
  long leftNanos() {
    return clock.leftNanos() + (begun ? link.patienceNanos() : 0);
  }

  /** Whether the frame that opens the stream is among the bytes that wait. */
  boolean withOpen() {
    return withOpen;
  }

  /**
   * Removes the bytes of the request.
   *
   * @param others the other requests whose bytes wait in the same buffer
   */
  void takeBack(FrameOutput buffer, Iterable<QueuedRequest> others) {
    for (int i = parts.size() - 1; i >= 0; i--) {
      int[] part = parts.get(i);
      int length = part[1] - part[0];
      buffer.remove(part[0], length);
      for (QueuedRequest other : others) {
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
