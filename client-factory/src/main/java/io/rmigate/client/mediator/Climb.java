package io.rmigate.client.mediator;

import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.jvm.NoThreadException;
import io.rmigate.client.link.Link;
import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.TransportConnector;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Moves a session that goes over a lower rung of the ladder to the best one, once that works. The
 * attempt is made beside it, by a connection of its own. One at a time; thread-safe.
 */
final class Climb {
  private final Duration connectTimeout;
  private final AtomicBoolean underWay = new AtomicBoolean();

  /**
   * @param connectTimeout for an attempt
   */
  Climb(Duration connectTimeout) {
    this.connectTimeout = connectTimeout;
  }

  /** Looks whether it is time for an attempt, and if so begins it. Never blocks. */
  void look(Link link) {
    TransportConnector gateway = link.gateway();
    Optional<Transport> connection = link.connection();
    if (gateway == null
        || connection.isEmpty()
        || underWay.get()
        || link.graceAtGateway().isZero()
        || !gateway.mayClimbFrom(connection.get())) {
      return;
    }
    if (underWay.compareAndSet(false, true)) {
      try {
        Daemons.start("rmigate-climb", () -> run(link, gateway));
      } catch (NoThreadException none) {
        underWay.set(false); // another time
      }
    }
  }

  private void run(Link link, TransportConnector gateway) {
    try {
      Transport better = gateway.climb(connectTimeout);
      if (link.moveTo(better)) {
        log().log(System.Logger.Level.INFO, "the link goes on over a better way: {0}", better);
      }
    } catch (IOException notYet) {
      log().log(System.Logger.Level.DEBUG, () -> "no better way yet: " + notYet.getMessage());
    } finally {
      underWay.set(false);
    }
  }

  /** No constant, see {@link MediatorAgent}. */
  private static System.Logger log() {
    return System.getLogger(Climb.class.getName());
  }
}
