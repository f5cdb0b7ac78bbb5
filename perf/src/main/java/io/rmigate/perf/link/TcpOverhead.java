package io.rmigate.perf.link;

import java.time.Duration;

/**
 * What TCP would have added to the traffic, had it run over the link instead of in front of and
 * behind it: an estimate, not charged by the link.
 *
 * @param headerBytes 40 for each packet with payload (IPv4 and TCP without options)
 * @param acknowledgementBytes 40 for every second packet in a row (RFC 1122 4.2.3.2); the last one
 *     of a row rides on the answer
 * @param handshakeBytes three segments to open a connection, with 4 bytes of options each way, and
 *     four to close it
 * @param slowStart pauses of a sender whose congestion window was used up (RFC 5681, with the
 *     initial window of 10 segments of RFC 6928)
 */
public record TcpOverhead(
    long headerBytes, long acknowledgementBytes, long handshakeBytes, Duration slowStart) {

  static final TcpOverhead NONE = new TcpOverhead(0, 0, 0, Duration.ZERO);

  TcpOverhead plus(TcpOverhead other) {
    return new TcpOverhead(
        headerBytes + other.headerBytes,
        acknowledgementBytes + other.acknowledgementBytes,
        handshakeBytes + other.handshakeBytes,
        slowStart.plus(other.slowStart));
  }

  /** All of them. */
  public long bytes() {
    return headerBytes + acknowledgementBytes + handshakeBytes;
  }
}
