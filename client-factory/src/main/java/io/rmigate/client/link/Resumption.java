package io.rmigate.client.link;

import io.rmigate.client.transport.TransportConnector;
import java.time.Duration;

/**
 * How a session goes on when its transport connection is lost.
 *
 * @param connector makes the next connection; null when there is to be none
 * @param connectTimeout for one attempt, the gateway's welcome included
 * @param grace how long to try; the gateway may allow less
 * @param elsewhere what is tried as well: at once when the gateway's host refuses connections, else
 *     after as long as {@code connectTimeout}
 */
public record Resumption(
    TransportConnector connector, Duration connectTimeout, Duration grace, OtherGateway elsewhere) {
  /** A session ends with its transport connection. */
  public static final Resumption NONE =
      new Resumption(null, Duration.ZERO, Duration.ZERO, OtherGateway.NOWHERE);

  boolean isWanted() {
    return connector != null && !grace.isZero();
  }
}
