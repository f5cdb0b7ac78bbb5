package io.rmigate.perf.link;

import java.time.Duration;

/**
 * Rate and delay of one direction of a link.
 *
 * @param bitsPerSecond the rate at which a packet's payload leaves, 8 bits a byte
 * @param delay from a packet's last bit leaving to its arrival
 */
public record LineShape(long bitsPerSecond, Duration delay) {
  public LineShape {
    if (bitsPerSecond < 1 || delay.isNegative()) {
      throw new IllegalArgumentException("no line has " + bitsPerSecond + " bit/s, " + delay);
    }
  }

  /** Time in which a number of bytes leaves. */
  long nanosFor(long bytes) {
    return Math.multiplyExact(bytes, 8_000_000_000L) / bitsPerSecond;
  }
}
