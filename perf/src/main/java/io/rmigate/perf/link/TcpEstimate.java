package io.rmigate.perf.link;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * Estimates {@link TcpOverhead} for one connection, packet by packet in the order in which they
 * were sent. There is no loss on this link, so that slow start never ends in congestion avoidance.
 * Not thread-safe.
 */
final class TcpEstimate {
  static final int HEADER_BYTES = 40;

  /** SYN, SYN-ACK, ACK, then FIN and its ACK from both sides. */
  static final int HANDSHAKE_BYTES = 7 * HEADER_BYTES + 2 * 4;

  static final int INITIAL_WINDOW_PACKETS = 10;

  /** RFC 6298: at least a second; at first three round trips, the variance being unknown. */
  private static final long LEAST_TIMEOUT_NANOS = 1_000_000_000L;

  private static final int ROUND_TRIPS_OF_TIMEOUT = 3;

  /** The sender of one direction. */
  private static final class Sender {
    private int window = INITIAL_WINDOW_PACKETS;
    private int unacknowledged;
    private long lastSentNanos;
    private boolean hasSent;
  }

  private final LinkProfile profile;
  private final Map<Direction, Sender> senders = new EnumMap<>(Direction.class);
  private Direction last;
  private long inARow;
  private long headerBytes;
  private long acknowledgementBytes;
  private long slowStartNanos;

  TcpEstimate(LinkProfile profile) {
    this.profile = profile;
    for (Direction direction : Direction.values()) {
      senders.put(direction, new Sender());
    }
  }

  void crossed(Crossing crossing) {
    headerBytes += HEADER_BYTES;
    inARow = crossing.direction() == last ? inARow + 1 : 1;
    if (inARow % 2 == 0) {
      acknowledgementBytes += HEADER_BYTES;
    }
    Sender sender = senders.get(crossing.direction());
    long roundTrip = profile.roundTrip().toNanos();
    long silence = sender.hasSent ? crossing.sentNanos() - sender.lastSentNanos : 0;
    if (crossing.direction() != last || silence > roundTrip) {
      sender.unacknowledged = 0; // the other side has answered, or had the time to
    }
    if (silence > Math.max(LEAST_TIMEOUT_NANOS, ROUND_TRIPS_OF_TIMEOUT * roundTrip)) {
      sender.window = Math.min(sender.window, INITIAL_WINDOW_PACKETS); // RFC 5681 4.1
    }
    if (sender.unacknowledged == sender.window) {
      slowStartNanos += pause(crossing.direction(), sender.window, roundTrip);
      sender.window *= 2;
      sender.unacknowledged = 0;
    }
    sender.unacknowledged++;
    sender.hasSent = true;
    sender.lastSentNanos = crossing.sentNanos();
    last = crossing.direction();
  }

  /** Until the first packet of the window is acknowledged, less what sending the window takes. */
  private long pause(Direction direction, int window, long roundTrip) {
    long packet = profile.shape(direction).nanosFor(LinkProfile.PACKET_BYTES);
    return Math.max(0, packet + roundTrip - window * packet);
  }

  /** So far, without opening and closing. */
  TcpOverhead overhead() {
    return new TcpOverhead(headerBytes, acknowledgementBytes, 0, Duration.ofNanos(slowStartNanos));
  }
}
