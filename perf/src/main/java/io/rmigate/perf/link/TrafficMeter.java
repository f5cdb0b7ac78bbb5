package io.rmigate.perf.link;

import java.time.Duration;

/** Adds up one connection's traffic, packet by packet in the order sent. Not thread-safe. */
final class TrafficMeter {
  private final TcpEstimate tcp;
  private int opened;
  private int exchanges;
  private long upBytes;
  private long downBytes;
  private int packets;

  TrafficMeter(LinkProfile profile) {
    tcp = new TcpEstimate(profile);
  }

  void opened() {
    opened = 1;
  }

  void crossed(Crossing crossing) {
    packets++;
    exchanges += crossing.endsExchange() ? 1 : 0;
    if (crossing.direction() == Direction.UP) {
      upBytes += crossing.bytes().length;
    } else {
      downBytes += crossing.bytes().length;
    }
    tcp.crossed(crossing);
  }

  Traffic traffic() {
    TcpOverhead handshake =
        new TcpOverhead(0, 0, opened * (long) TcpEstimate.HANDSHAKE_BYTES, Duration.ZERO);
    return new Traffic(
        opened, exchanges, upBytes, downBytes, packets, tcp.overhead().plus(handshake));
  }
}
