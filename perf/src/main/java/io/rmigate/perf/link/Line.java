package io.rmigate.perf.link;

import java.util.concurrent.locks.ReentrantLock;

/**
 * One direction of a link. Packets leave one after the other in the order in which they were
 * accepted, at the line's rate, and each arrives when the delay has passed after its last bit. In
 * front of it is a buffer, as a modem has one; while that is full, senders wait in the order in
 * which they came.
 *
 * <p>Thread-safe. Holds no bytes: it only says when they arrive.
 */
final class Line {
  private final LineShape shape;
  private final int bufferBytes;
  private final LinkClock clock;

  /** Fair, and held while waiting for room: it is the queue of the senders. */
  private final ReentrantLock senders = new ReentrantLock(true);

  /** When the last bit accepted so far will have left. Guarded by {@code senders}. */
  private long freeAtNanos;

  /**
   * @param bufferBytes how much may wait to leave; at least the largest packet
   */
  Line(LineShape shape, int bufferBytes, LinkClock clock) {
    this.shape = shape;
    this.bufferBytes = bufferBytes;
    this.clock = clock;
    this.freeAtNanos = clock.nanoTime();
  }

  /**
   * Takes a packet, once there is room for it.
   *
   * @param bytes of payload; 0 for a mark that follows what was accepted before
   * @return when it arrives
   */
  long accept(int bytes) throws InterruptedException {
    if (bytes > bufferBytes) {
      throw new IllegalArgumentException(bytes + " bytes for a buffer of " + bufferBytes);
    }
    senders.lockInterruptibly();
    try {
      clock.sleepUntil(freeAtNanos - shape.nanosFor(bufferBytes - (long) bytes));
      long now = clock.nanoTime();
      long start = freeAtNanos - now > 0 ? freeAtNanos : now;
      freeAtNanos = start + shape.nanosFor(bytes);
      return freeAtNanos + shape.delay().toNanos();
    } finally {
      senders.unlock();
    }
  }
}
