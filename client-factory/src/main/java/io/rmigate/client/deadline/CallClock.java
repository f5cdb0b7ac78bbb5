package io.rmigate.client.deadline;

import io.rmigate.client.deadline.CallTimeoutException.Phase;
import java.time.Duration;

/**
 * The time one call may take. Its beginning is that of the connection, if it needed one, since what
 * that has waited for the caller has waited too. Immutable.
 */
public final class CallClock {
  /** No bound. */
  public static final CallClock UNBOUNDED = new CallClock("", 0, Duration.ZERO);

  private final String target;
  private final long startNanos;
  private final Duration limit;

  private CallClock(String target, long startNanos, Duration limit) {
    this.target = target;
    this.startNanos = startNanos;
    this.limit = limit;
  }

  /**
   * The clock of a call.
   *
   * @param startNanos on the clock of {@link System#nanoTime}
   * @param limit zero for none
   */
  static CallClock of(String target, long startNanos, Duration limit) {
    return limit.isZero() ? UNBOUNDED : new CallClock(target, startNanos, limit);
  }

  /** Whether there is a bound; else nothing else here may be asked. */
  public boolean isBounded() {
    return this != UNBOUNDED;
  }

  /** Until the time is over; not above zero when it is. */
  public long leftNanos() {
    return limit.toNanos() - (System.nanoTime() - startNanos);
  }

  /** When the time is over, on the clock of {@link System#nanoTime}. */
  public long endNanos() {
    return startNanos + limit.toNanos();
  }

  /** The time was over while the call had not been sent, or had not come: no server gets it. */
  public CallTimeoutException notSent() {
    return new CallTimeoutException(
        Phase.LINK, target, limit, elapsed(), Duration.ZERO, Duration.ZERO, false);
  }

  /**
   * The gateway has refused the call, since it had no connection in time.
   *
   * @param sentNanos when it was handed to a link
   */
  public CallTimeoutException notConnected(long sentNanos) {
    Duration link = since(sentNanos);
    return new CallTimeoutException(
        Phase.CONNECT, target, limit, link, elapsed().minus(link), Duration.ZERO, false);
  }

  /** The exception for a link that has been silent since the call was handed to it. */
  public CallTimeoutException silentLink() {
    return new CallTimeoutException(
        Phase.LINK, target, limit, elapsed(), Duration.ZERO, Duration.ZERO, true);
  }

  /**
   * The gateway has not answered in its server's stead, and no server was sent the call.
   *
   * @param heard whether anything has come from the gateway meanwhile
   */
  public CallTimeoutException unanswered(boolean heard) {
    Duration elapsed = elapsed();
    return new CallTimeoutException(
        heard ? Phase.ANSWER : Phase.LINK,
        target,
        limit,
        heard ? Duration.ZERO : elapsed,
        Duration.ZERO,
        heard ? elapsed : Duration.ZERO,
        false);
  }

  /**
   * There was no answer, or not all of it.
   *
   * @param sentNanos when the call was handed to a link
   * @param connect how long the gateway needed to connect, as far as it has said
   */
  public CallTimeoutException notAnswered(long sentNanos, Duration connect) {
    Duration link = since(sentNanos);
    Duration rest = elapsed().minus(link);
    Duration connecting = connect.compareTo(rest) > 0 ? rest : connect;
    return new CallTimeoutException(
        Phase.ANSWER, target, limit, link, connecting, rest.minus(connecting), true);
  }

  private Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - startNanos);
  }

  private Duration since(long sentNanos) {
    return Duration.ofNanos(Math.max(0, sentNanos - startNanos));
  }
}
