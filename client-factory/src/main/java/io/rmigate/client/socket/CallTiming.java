package io.rmigate.client.socket;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.deadline.CallTimeoutException;
import io.rmigate.client.deadline.Deadlines;
import io.rmigate.client.mediator.MediatorAgent;
import java.util.concurrent.TimeUnit;

/**
 * How long the message may take that passes through one conversation. Which bound a Call has is
 * known when enough of it has been written, but it counts from its beginning; that of the first one
 * from when its connection was asked for.
 *
 * <p>Confined to the thread that converses.
 */
final class CallTiming {
  private final Deadlines deadlines;
  private final String host;
  private final int port;

  private boolean first = true;
  private long startNanos;

  /** Null while it is not known. */
  private CallClock clock = CallClock.UNBOUNDED;

  CallTiming(Deadlines deadlines, String host, int port, long startNanos) {
    this.deadlines = deadlines;
    this.host = host;
    this.port = port;
    this.startNanos = startNanos;
  }

  /** A message begins. */
  void begin() {
    if (!deadlines.mayApply()) {
      clock = CallClock.UNBOUNDED;
    } else {
      clock = null;
      startNanos = first ? startNanos : System.nanoTime();
    }
    first = false;
  }

  /** The clock of the message that begins with these bytes, the same from the first asking on. */
  CallClock clock(byte[] message, int length) {
    if (clock == null) {
      clock = deadlines.calling(host, port, message, length, startNanos);
    }
    return clock;
  }

  /** Whether the message has a bound, as far as it is known. */
  boolean isBounded() {
    return clock != null && clock.isBounded();
  }

  /** Whether its time is over. */
  boolean isOver() {
    return isBounded() && clock.leftNanos() <= 0;
  }

  /**
   * The timeout of a wait for the message's answer.
   *
   * @param timeoutMillis of the socket; 0 for none
   * @return 0 for none
   */
  int atMost(int timeoutMillis) {
    if (!isBounded()) {
      return timeoutMillis;
    }
    // Rounded up: the time must be over after the wait.
    long left = Math.max(1, TimeUnit.NANOSECONDS.toMillis(clock.leftNanos()) + 1);
    return (int) (timeoutMillis == 0 ? left : Math.min(left, timeoutMillis));
  }

  /** The time is over for a message that no server has been sent. */
  CallTimeoutException unanswered(MediatorAgent agent) {
    return clock.unanswered(agent.hasHeardSince(startNanos));
  }
}
